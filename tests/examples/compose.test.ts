import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import * as z from 'zod';
import { startRealPdp } from '../../scripts/tools/real-pdp.ts';
import { neededTool } from '../support/tools.ts';
import { closeAll, freePort, stopLater } from '../pdp/transport/setup.ts';
import { eventually } from '../support/eventually.ts';
import { folderWith } from '../support/folder.ts';
import { PROGRAM } from '../support/program.ts';

const COMPOSE: unknown = parse(readFileSync('examples/compose.yaml', 'utf8'));
const file = z.object({
  services: z.record(
    z.string(),
    z.looseObject({ volumes: z.array(z.string()), ports: z.array(z.string()).default([]) }),
  ),
});
const { services } = file.parse(COMPOSE);

afterEach(closeAll);

describe('examples/compose.yaml', () => {
  test('is valid by the schema of the Compose specification', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    const schema: unknown = JSON.parse(readFileSync('tests/examples/compose-spec.json', 'utf8'));
    const isValid = ajv.compile(z.record(z.string(), z.unknown()).parse(schema));
    isValid(COMPOSE);
    expect(isValid.errors ?? []).toEqual([]);
    expect(isValid({ services: { a: { imgae: 'b' } } })).toBe(false);
  });

  test('mounts files that are there, read-only, and listens on loopback only', () => {
    const all = Object.values(services);
    for (const volume of all.flatMap(({ volumes }) => volumes)) {
      const [from = '', , mode] = volume.split(':');
      expect(readFileSync(path.join('examples', from), 'utf8')).not.toBe('');
      expect(mode).toBe('ro');
    }
    expect(all.flatMap(({ ports }) => ports).filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });
});

function started(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
  stopLater(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  return child;
}

async function isAnswering(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined);
  return answer?.ok === true;
}

neededTool('opa').describe('its services, without containers', () => {
  test('mask for Jane what the application answers, and show it to a supervisor', async () => {
    const pdp = await startRealPdp('opa');
    if (pdp === undefined) throw new Error('OPA does not start.');
    stopLater(() => pdp.stop());
    const [proxy, application] = [await freePort(), await freePort()];
    started(['examples/compose/customers.mjs'], { PORT: String(application) });
    const config = readFileSync('examples/compose/config.yaml', 'utf8')
      .replace('opa:8181', `127.0.0.1:${pdp.port}`)
      .replace('port: 8080', `port: ${proxy}\n  host: 127.0.0.1`)
      .replace('application:8081', `127.0.0.1:${application}`)
      .replace('port: 5002', 'port: 0');
    const folder = await folderWith({ 'config.yaml': config });
    started([PROGRAM, '-c', path.join(folder, 'config.yaml')]);
    const asked = async (role: string): Promise<unknown> => {
      const headers = { 'X-User': 'jane', 'X-Role': role };
      return (await fetch(`http://127.0.0.1:${proxy}/customers`, { headers })).json();
    };
    await eventually(() => isAnswering(`http://127.0.0.1:${proxy}/health`));
    const whole: unknown = await (await fetch(`http://127.0.0.1:${application}/customers`)).json();
    expect(whole).toHaveLength(3);
    expect(await asked('Agent')).toMatchObject([
      { id: 'c1', ssn: expect.stringMatching(/^\*+6789$/u), balance: 1250.5 },
      { id: 'c2', ssn: expect.stringMatching(/^\*+4321$/u), balance: null },
    ]);
    expect(await asked('Supervisor')).toMatchObject([
      { ssn: '123-45-6789' },
      { ssn: '987-65-4321', balance: 90.25 },
    ]);
    expect((await fetch(`http://127.0.0.1:${proxy}/customers`)).status).toBe(400);
  });
});
