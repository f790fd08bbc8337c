import { ensurePythonProgram } from './python.ts';

/** @returns the path of the program; undefined if it cannot be installed */
export function ensureSchemathesis(): string | undefined {
  return ensurePythonProgram({
    folder: '.tools/venv',
    requirements: 'tests/places/openapi/requirements.txt',
    name: 'schemathesis',
  });
}
