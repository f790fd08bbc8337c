/**
 * Writes the generated files into the current folder: `node scripts/generate.ts`. With `--check` it writes nothing,
 * and names each file that is not as it would be written.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import {
  AGENT_EXCEPTIONS,
  DEFINITIONS,
  EXAMPLE_EXCEPTIONS,
  SERVICE_EXCEPTIONS,
} from './generate/chart/exceptions.ts';
import { configReference } from './generate/chart/config-reference.ts';
import { chartReadme } from './generate/chart/readme.ts';
import { givenValues } from './generate/chart/given-values.ts';
import { dashboard } from './generate/chart/dashboard.ts';
import { VERSIONED_FILES, chartLock, withVersion } from './generate/chart/versions.ts';
import { policyActions } from './generate/chart/policy-actions.ts';
import { valuesSchema } from './generate/chart/values-schema.ts';
import { configurationShape } from './generate/configuration-shape.ts';
import { configurationPage } from './generate/configuration-page.ts';
import { masksPage } from './generate/masks-page.ts';
import { protoFields } from './generate/proto-fields.ts';
import { performancePage } from './generate/performance-page.ts';
import { openApi } from './generate/openapi.ts';
import { policyFileSchema, rulesDocumentSchema } from './generate/rule-schemas.ts';
import { sampleConfig } from './generate/sample-config.ts';
import { versionModule } from './generate/version-module.ts';

interface GeneratedFile {
  readonly path: string;
  readonly render: () => string;
  /** Of prettier, for a file whose name does not say it. */
  readonly parser?: string;
}

interface RenderedFile {
  readonly path: string;
  readonly content: string;
}

const SERVICE_CHART = 'charts/authz-jsonmasking';
const AGENT_CHART = 'charts/policy-agent';
const EXAMPLE_CHART = 'charts/example-microservice';

const GENERATED_FILES: readonly GeneratedFile[] = [
  { path: `${SERVICE_CHART}/files/config-reference.json`, render: configReference },
  { path: `${SERVICE_CHART}/files/dashboard.json`, render: dashboard },
  {
    path: `${SERVICE_CHART}/values.schema.json`,
    render: () => valuesSchema(SERVICE_CHART, SERVICE_EXCEPTIONS, DEFINITIONS),
  },
  { path: `${SERVICE_CHART}/files/policy-actions.json`, render: policyActions },
  {
    path: `${SERVICE_CHART}/files/defaults.json`,
    render: () => givenValues(SERVICE_CHART, SERVICE_EXCEPTIONS),
  },
  { path: `${SERVICE_CHART}/README.md`, render: () => chartReadme(SERVICE_CHART) },
  {
    path: `${AGENT_CHART}/values.schema.json`,
    render: () => valuesSchema(AGENT_CHART, AGENT_EXCEPTIONS, DEFINITIONS),
  },
  { path: `${AGENT_CHART}/files/policy-actions.json`, render: policyActions },
  { path: `${AGENT_CHART}/files/defaults.json`, render: () => givenValues(AGENT_CHART, AGENT_EXCEPTIONS) },
  { path: `${AGENT_CHART}/README.md`, render: () => chartReadme(AGENT_CHART) },
  {
    path: `${EXAMPLE_CHART}/values.schema.json`,
    render: () => valuesSchema(EXAMPLE_CHART, EXAMPLE_EXCEPTIONS, {}),
  },
  { path: `${EXAMPLE_CHART}/README.md`, render: () => chartReadme(EXAMPLE_CHART) },
  { path: 'docs/configuration.md', render: configurationPage },
  { path: 'docs/masks.md', render: masksPage },
  { path: 'docs/openapi.json', render: openApi },
  { path: 'docs/performance.md', render: performancePage },
  { path: 'docs/policy-file.schema.json', render: policyFileSchema },
  { path: 'docs/rules-document.schema.json', render: rulesDocumentSchema },
  { path: 'packaging/standalone/sample-config.yaml', render: sampleConfig },
  { path: 'src/config/shape.ts', render: configurationShape },
  { path: 'src/places/ext-proc/protocol/fields.ts', render: protoFields },
  { path: 'src/version.ts', render: versionModule },
  { path: `${AGENT_CHART}/Chart.lock`, render: () => chartLock(AGENT_CHART), parser: 'yaml' },
  { path: `${EXAMPLE_CHART}/Chart.lock`, render: () => chartLock(EXAMPLE_CHART), parser: 'yaml' },
  ...VERSIONED_FILES.map((file) => ({ path: file, render: () => withVersion(file) })),
];

async function rendered({ path: filepath, render, parser }: GeneratedFile): Promise<RenderedFile> {
  const style = await resolveConfig(import.meta.filename);
  const options = { ...style, filepath, ...(parser === undefined ? {} : { parser }) };
  return { path: filepath, content: await format(render(), options) };
}

async function isCurrent(file: RenderedFile): Promise<boolean> {
  const content = await readFile(file.path, 'utf8').catch(() => '');
  return content === file.content;
}

async function write(file: RenderedFile): Promise<void> {
  await mkdir(path.dirname(file.path), { recursive: true });
  await writeFile(file.path, file.content);
}

async function check(files: readonly RenderedFile[]): Promise<void> {
  const current = await Promise.all(files.map(isCurrent));
  for (const file of files.filter((_, index) => current[index] !== true)) {
    process.stderr.write(`${file.path} is not as generated; run npm run docs\n`);
    process.exitCode = 1;
  }
}

const files = await Promise.all(GENERATED_FILES.map(rendered));
await (process.argv.includes('--check') ? check(files) : Promise.all(files.map(write)));
