import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { bundleProgram } from '../../../scripts/program/bundle.ts';
import { closeAll, startStub, stopLater } from '../../pdp/transport/setup.ts';
import { call, enforcing } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { folderWith } from '../../support/folder.ts';
import { serving } from '../../support/process.ts';
import { NO_RULES } from '../../support/service.ts';
import { startCollector, type Collector } from './collector.ts';

let collector: Collector;

beforeEach(async () => {
  collector = await startCollector();
});
afterEach(async () => {
  await closeAll();
  await collector.close();
});

/** A folder with a configuration of a service that sends traces. */
async function configured(): Promise<string> {
  const pdp = await startStub(NO_RULES);
  const configuration = {
    port: 0,
    drainDelay: 0,
    pdpUrl: `127.0.0.1:${pdp.port}`,
    tracing: { endpoint: collector.endpoint },
  };
  return folderWith({ 'config.yaml': stringify(configuration) });
}

function spanNames(): readonly string[] {
  return collector.spans.map(({ name }) => name).toSorted();
}

test('a process that is asked to stop sends the traces that it has', async () => {
  const service = await serving('-c', path.join(await configured(), 'config.yaml'));
  await call(service.port, { body: enforcing('{}') });
  service.signal('SIGTERM');
  expect(await service.ended).toMatchObject({ code: 0 });
  expect(spanNames()).toEqual(['PDP resolution', 'POST /enforce', 'mask']);
});

test('the bundled program sends traces too', async () => {
  const folder = await configured();
  const program = path.join(folder, 'main.js');
  await bundleProgram(folder);
  const args = ['-c', path.join(folder, 'config.yaml')];
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  stopLater(async () => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  await eventually(() => output.includes('"message":"Listening"'));
  const port = Number(/"port":(\d+)/.exec(output)?.[1]);
  await call(port, { body: enforcing('{}') });
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(spanNames()).toEqual(['PDP resolution', 'POST /enforce', 'mask']);
});
