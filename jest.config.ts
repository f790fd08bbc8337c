import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Config } from 'jest';

// Variables of the shell that would change the tests and the programs that they start.
const OF_THE_SHELL = /^(?:(?:https?|all|no)_proxy|force_color|no_color|columns)$/iu;
for (const name of Object.keys(process.env)) {
  if (OF_THE_SHELL.test(name)) Reflect.deleteProperty(process.env, name);
}

// What one process compiled need not be compiled again by the next: the tests start hundreds.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve('build/compile-cache');

const config: Config = {
  testEnvironment: 'node',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  setupFiles: ['<rootDir>/tests/support/whole-lengths.ts'],
  // jest loads CommonJS: TypeScript and the dependencies that ship only ES modules, or import as those do, are translated
  // on the way in.
  transform: { '\\.c?[jt]s$': '@swc/jest' },
  transformIgnorePatterns: ['/node_modules/(?!(jose|commander|@opentelemetry/otlp-exporter-base)/)'],
  // Many suites wait for processes, timeouts and files that change: two workers more keep the processors busy.
  maxWorkers: availableParallelism() + 2,
  // With a limit, even a single suite has a process of its own: in that of jest, writes to standard output never call back.
  workerIdleMemoryLimit: '2GB',
  // Only ends tests that hang. Tests that start processes are slow on a busy machine.
  testTimeout: 300_000,
};

export default config;
