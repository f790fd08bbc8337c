import { createServer } from 'node:http';
import express, { type Request } from 'express';
import { createEnforcer, maskResponses, type MaskResponsesOptions } from '../../../src/library.ts';
import { listening, portOf, stopLater } from '../../pdp/transport/setup.ts';
import { fileWith } from '../../support/folder.ts';

const nothing = (): void => undefined;
/** A log that keeps nothing. */
export const QUIET = { error: nothing, warn: nothing, info: nothing, debug: nothing };

interface Masked {
  readonly policies: string;
  /** More of the configuration. */
  readonly configuration?: object;
  readonly options: MaskResponsesOptions<Request>;
}

/** Asks an application once that answers with a value, and whose answers are masked. `closeAll` stops it. */
export async function answerOf(
  value: unknown,
  { policies, configuration, options }: Masked,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly [status: number, body: string]> {
  const policyFile = await fileWith(policies);
  const enforcer = await createEnforcer({ policyFile, ...configuration }, { log: QUIET });
  stopLater(() => enforcer.close());
  const app = express().use(maskResponses(enforcer, options), (_request, response) => {
    response.json(value);
  });
  const server = createServer(app);
  await listening(server);
  const answer = await fetch(`http://127.0.0.1:${portOf(server)}/`, { headers });
  return [answer.status, await answer.text()];
}
