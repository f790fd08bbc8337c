import type { Config } from 'jest';

const config: Config = {
  testEnvironment: 'node',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  // jest loads CommonJS: TypeScript and the dependencies that ship only ES modules, or import as those do, are translated
  // on the way in.
  transform: { '\\.c?[jt]s$': '@swc/jest' },
  transformIgnorePatterns: ['/node_modules/(?!(jose|commander|@opentelemetry/otlp-exporter-base)/)'],
  testTimeout: 20_000,
};

export default config;
