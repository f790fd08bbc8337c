import { ensurePythonProgram, findPythonProgram, type PythonProgram } from './python.ts';

const PACKAGE: PythonProgram = {
  folder: '.tools/venv',
  requirements: 'tests/places/openapi/requirements.txt',
  name: 'schemathesis',
};

/** @returns the path of the program; undefined if it is not installed */
export function findSchemathesis(): string | undefined {
  return findPythonProgram(PACKAGE);
}

/** Installs the program if it is not there. @returns its path; undefined if it cannot be installed */
export function ensureSchemathesis(): string | undefined {
  return ensurePythonProgram(PACKAGE);
}
