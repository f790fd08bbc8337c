import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { loadPolicyFile } from '../../src/pdp/protocols/embedded/policy-file/load.ts';
import { startPdpServer } from '../../src/pdp/protocols/embedded/server.ts';
import { fencesIn } from '../docs/markdown.ts';
import { loggerInMemory } from '../telemetry/log/memory-sink.ts';
import { stopLater } from '../pdp/transport/setup.ts';
import { folderWith } from '../support/folder.ts';
import { startService, type Service } from '../support/service.ts';
import { startIdentityProvider } from './identity-provider.ts';

const PAGE = readFileSync('docs/jwt-authentication.md', 'utf8');
const FENCES = fencesIn(PAGE);

/** The block of the page that is for this, as in "```json payload". */
export function block(purpose: string): string {
  const found = FENCES.filter(({ info }) => info.split(' ')[1] === purpose);
  if (found.length !== 1) throw new Error(`the page has ${found.length} blocks for ${purpose}`);
  return found[0]?.text ?? '';
}

/** The statuses and details that the page explains. */
export function explainedDetails(): readonly string[] {
  return [...PAGE.matchAll(/^\| 401 +\| (`+)(?<detail>.+?)\1 +\|/gmu)].map(
    ({ groups }) => groups?.['detail'] ?? '',
  );
}

export type Provider = Awaited<ReturnType<typeof startIdentityProvider>>;

export const PASSWORD = 'user-s3cret';

/** The identity provider of the page, with its rule and its user. */
export function providerOfPage(): Promise<Provider> {
  const metadata: Readonly<Record<string, unknown>> = JSON.parse(block('metadata'));
  return startIdentityProvider({
    rule: block('rule'),
    issuer: 'https://idp.example.com/',
    users: [{ username: 'jane', password: PASSWORD, user_metadata: metadata }],
  });
}

/** The service of the page, and the embedded PDP over HTTP, which believes the tokens of a provider. */
export async function serviceOfPage({ jwks }: Pick<Provider, 'jwks'>): Promise<Service> {
  const folder = await folderWith({ 'policies.yaml': block('policies'), 'jwks.json': jwks });
  const policies = loadPolicyFile(path.join(folder, 'policies.yaml'));
  const { logger } = loggerInMemory('json', 'error');
  const pdp = await startPdpServer({ policies: { current: policies }, port: 0, host: '127.0.0.1', logger });
  stopLater(() => pdp.close());
  const written: Readonly<Record<string, unknown>> = parse(block('configuration'));
  return startService({ ...written, port: 0, pdpUrl: `127.0.0.1:${pdp.port}` });
}
