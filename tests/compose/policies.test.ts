import { writeFile } from 'node:fs/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { openPolicies, readPolicies } from '../../src/compose/policies.ts';
import { loadConfiguration } from '../../src/config/open.ts';
import type { Configuration } from '../../src/config/index.ts';
import { closeAll, stopLater } from '../pdp/transport/setup.ts';
import { eventually } from '../support/eventually.ts';
import { folderWith } from '../support/folder.ts';
import { loggerInMemory } from '../telemetry/log/memory-sink.ts';

afterEach(closeAll);

const POLICIES = 'attrName: column\npolicies: [{ name: P, action: FILTER }]\n';

/** A configuration with a policy file, and more keys. */
async function configured(more = ''): Promise<Configuration> {
  const text = `port: 0\npolicyFile: policies.yaml\n${more}`;
  const folder = await folderWith({ 'config.yaml': text, 'policies.yaml': POLICIES });
  return loadConfiguration(`${folder}/config.yaml`);
}

/** The policies of a configuration while they are watched, and who learns of them. */
async function opened(configuration: Configuration) {
  const { logger, sink } = loggerInMemory();
  const metrics = { loaded: jest.fn(), failed: jest.fn() };
  const policies = await openPolicies(configuration, { log: logger, metrics });
  stopLater(async () => {
    policies?.close();
    await logger.close();
  });
  const logged = (): string => sink.lines.join('\n');
  return { metrics, logged };
}

test('policies that do nothing with the configuration are warned of when they are opened', async () => {
  const { logged, metrics } = await opened(await configured());
  await eventually(() => logged() !== '');
  expect(logged()).toContain('FILTER policies do nothing unless filter is true');
  expect(metrics.loaded).toHaveBeenCalledTimes(1);
});

test('a version that is not valid is counted and logged, and not loaded', async () => {
  const configuration = await configured('filter: true\n');
  const { logged, metrics } = await opened(configuration);
  await writeFile(configuration.policyFile ?? '', 'policies: 1\n');
  await eventually(() => logged().includes('"level":"error"'));
  expect(logged()).toContain('Policy file is not valid; keeping the policies that were loaded before');
  expect(metrics.failed).toHaveBeenCalledTimes(1);
  expect(metrics.loaded).toHaveBeenCalledTimes(1);
});

test('a property cannot have one name in the policies and another one in the configuration', async () => {
  await expect(readPolicies(await configured('attrName: field\n'))).rejects.toThrow(
    'attrName is column here and field in the configuration',
  );
});
