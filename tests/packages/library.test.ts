import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const POLICIES =
  'policies: [{ name: SSN, properties: [ssn], except: { entityTypes: [Manager] }, action: MASK }]\n';
const TSC = path.resolve('node_modules/typescript/bin/tsc');
const STRICT = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022'];

const USE = `
  const enforcer = await createEnforcer({ policyFile: 'policies.yaml' });
  const masked = await enforcer.enforce({ json: '{"ssn":"1"}', vendor: { entityTypeId: 'Agent', entityId: 'jane' } });
  console.log(Buffer.isBuffer(masked), masked.text(), JSON.stringify(masked.value()));
  await enforcer.enforce({ json: '{' }).catch((error) => console.log(error instanceof EnforcementError, error.code));
  await enforcer.close();`;

const TYPED = `
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConfigurationError, createEnforcer, EnforcementError, maskResponses, type Enforcer, type ErrorCode, type MaskResponsesOptions } from 'authz-jsonmasking';
export async function use(error: unknown): Promise<Buffer> {
  const enforcer: Enforcer = await createEnforcer({ policyFile: 'policies.yaml' }, { log: console });
  const { signal } = new AbortController();
  const options = { vendor: { entityId: 'jane' }, parameters: { root: 'a' }, headers: { authorization: 'x' }, signal };
  const masked = await enforcer.enforce({ json: [], ...options });
  const text: string = masked.text();
  const value: unknown = masked.value();
  const code: ErrorCode | undefined = error instanceof EnforcementError ? error.code : undefined;
  maskResponses(enforcer, {
    vendor: (request: IncomingMessage & { user: { id: string } }) => ({ entityId: request.user.id }),
    routes: [{ path: '/health/**', pass: true }],
  });
  await enforcer.close();
  return Buffer.concat([masked, Buffer.from(text + String(value) + String(code))]);
}
export function problemsOf(error: EnforcementError | ConfigurationError): string {
  return error.message;
}
export function hook(enforcer: Enforcer, request: IncomingMessage, response: ServerResponse): void {
  const options: MaskResponsesOptions = { vendor: ({ headers }) => ({ entityId: headers['x-user'] }) };
  const mask = maskResponses(enforcer, options);
  mask(request, response, (error?: Error) => console.log(error));
  mask(request, response, (error?: unknown) => console.log(error));
}
`;

let folder = '';

function inFolder(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function write(name: string, text: string): string {
  writeFileSync(path.join(folder, name), text);
  return name;
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'authz-jsonmasking-'));
  execFileSync('npm', ['pack', '--loglevel=error', '--ignore-scripts', `--pack-destination=${folder}`]);
  write('package.json', '{"private":true}');
  write('policies.yaml', POLICIES);
  const [archive = ''] = globSync('*.tgz', { cwd: folder });
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];
  inFolder('npm', 'install', ...quiet, `./${archive}`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package, installed in an empty folder,', () => {
  const printed = 'true {"ssn":"***"} {"ssn":"***"}\ntrue body-not-json\n';

  test('is used from an ES module', () => {
    const file = write(
      'app.mjs',
      `import { createEnforcer, EnforcementError } from 'authz-jsonmasking';${USE}`,
    );
    expect(inFolder(process.execPath, file)).toBe(printed);
  });

  test('is used from CommonJS', () => {
    const file = write(
      'app.cjs',
      `const { createEnforcer, EnforcementError } = require('authz-jsonmasking');\n(async () => {${USE}})();`,
    );
    expect(inFolder(process.execPath, file)).toBe(printed);
  });

  test.each([
    ['node16', 'node16', 'app.mts'],
    ['node16', 'node16', 'app.cts'],
    ['esnext', 'bundler', 'app.ts'],
    ['nodenext', 'nodenext', 'app.cts'],
  ])('has types that compile with module %s, moduleResolution %s in %s', (module, resolution, file) => {
    write(file, TYPED);
    const options = [...STRICT, '--module', module, '--moduleResolution', resolution];
    expect(inFolder(process.execPath, TSC, ...options, file)).toBe('');
  });

  test('starts nothing when it is imported', () => {
    const file = write(
      'idle.mjs',
      `import 'authz-jsonmasking';\nconsole.log(JSON.stringify(process.getActiveResourcesInfo().filter((one) => one !== 'PipeWrap')), process.listenerCount('SIGTERM'));`,
    );
    expect(inFolder(process.execPath, file)).toBe('[] 0\n');
  });

  test('has the command', () => {
    const use = 'echo \'{"ssn":"1"}\' | npx --no authz-jsonmasking enforce -p policies.yaml --as Agent/jane';
    expect(inFolder('sh', '-c', use)).toBe('{"ssn":"***"}\n');
  });
});
