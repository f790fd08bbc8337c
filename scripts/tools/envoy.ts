import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ensurePythonProgram } from './python.ts';

const FOLDER = '.tools/envoy';

/** @returns the path of Envoy's own binary; undefined if it cannot be installed */
export function ensureEnvoy(): string | undefined {
  const installed = ensurePythonProgram({
    folder: FOLDER,
    requirements: 'tests/places/ext-proc/requirements.txt',
    name: 'envoy',
  });
  return installed === undefined ? undefined : binaryIn(path.resolve(FOLDER, 'lib'));
}

/** The program that pip installs starts this one with Python, which would be a process more to stop. */
function binaryIn(lib: string): string | undefined {
  const binaries = readdirSync(lib).map((python) =>
    path.join(lib, python, 'site-packages/envoy/_bin/envoy'),
  );
  return binaries.find((file) => existsSync(file));
}
