import { execFile } from 'node:child_process';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { findSchemathesis } from '../../../scripts/tools/schemathesis.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { needed } from '../../support/tools.ts';
import { fileWith, folderWith } from '../../support/folder.ts';
import { serving } from '../../support/process.ts';

const SETTINGS = path.resolve('tests/places/openapi/schemathesis.toml');

/** Seconds: many times what it takes on a machine that has nothing else to do. */
const TIME_LIMIT = 180;

const { describe: describeExercise, program } = needed('schemathesis', findSchemathesis());

afterEach(closeAll);

describeExercise('Schemathesis', () => {
  test(
    'finds nothing that the service answers in another way than it describes',
    async () => {
      const { port } = await serving('-c', await configuration());
      const { failed, output } = await schemathesis(`http://127.0.0.1:${port}/openapi.json`);
      expect({ failed, output: failed ? output : '' }).toEqual({ failed: false, output: '' });
    },
    (TIME_LIMIT + 30) * 1000,
  );
});

function configuration(): Promise<string> {
  const policyFile = path.resolve('examples/policies/demo.yaml');
  return fileWith(stringify({ port: 0, host: '127.0.0.1', policyFile, attrName: 'column', object: 'table' }));
}

interface Outcome {
  readonly failed: boolean;
  readonly output: string;
}

async function schemathesis(url: string): Promise<Outcome> {
  const args = ['--config-file', SETTINGS, 'run', url, '--no-color'];
  const options = { timeout: TIME_LIMIT * 1000, maxBuffer: 64 * 1024 * 1024, cwd: await folderWith({}) };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ failed: Error.isError(error), output: stdout + stderr });
    });
  });
}
