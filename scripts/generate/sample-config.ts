import { stringify } from 'yaml';
import { CONFIGURATION_KEYS } from '../../src/config/keys.ts';
import type { ConfigurationKey } from '../../src/config/keys.ts';

const INTRO = `The configuration of the JSON masking authorizer. Copy this file to config.yaml and change it there; ./start.sh \
reads that, and says what is wrong with it. A change takes effect with a restart.`;

const HOW = 'Every key is here. Those that are not set have a # before them: remove it to set one.';

const PDP =
  'One of pdpUrl, pdpHost and policyFile must be given. To try the service without a PDP, put a # before pdpUrl and ' +
  'remove the one before policyFile.';

const WIDTH = 100;

/** What is set from the start: what the service needs to start, and to understand usual decisions. */
const SET: Readonly<Record<string, unknown>> = {
  port: 5002,
  pdpUrl: 'pdp.example.com:8080',
  attrName: 'column',
  object: 'table',
  filter: true,
};

/** Values that fit this package better than the examples of the schema. */
const SAMPLES: Readonly<Record<string, unknown>> = { policyFile: 'sample-policies.yaml' };

function comment(text: string): string {
  const lines = text.replaceAll('`', '').matchAll(new RegExp(`\\S.{0,${WIDTH - 1}}(?=\\s|$)`, 'gu'));
  return [...lines].map(([line]) => `# ${line}`).join('\n');
}

function scalar(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function typeOf({ expectation, unit, required, default: value }: ConfigurationKey): string {
  const type = `${expectation.charAt(0).toUpperCase()}${expectation.slice(1)}${unit === undefined ? '' : `, in ${unit}`}`;
  if (required) return `${type}. Required.`;
  return value === undefined ? `${type}.` : `${type}. Default: ${scalar(value)}.`;
}

function lineOf(key: ConfigurationKey): string {
  const value = SET[key.key] ?? SAMPLES[key.key] ?? key.example ?? key.default;
  const lines = stringify({ [key.key]: value }).trim();
  return key.key in SET ? lines : lines.replaceAll(/^/gmu, '#');
}

function entryOf(key: ConfigurationKey): string {
  const note = key.key === 'pdpUrl' ? [comment(PDP), '#'] : [];
  return [...note, comment(key.description), comment(typeOf(key)), lineOf(key)].join('\n');
}

/** `sample-config.yaml` of the standalone package: every key with what it means, as a configuration that starts. */
export function sampleConfig(): string {
  return [`${comment(INTRO)}\n#\n${comment(HOW)}`, ...CONFIGURATION_KEYS.map(entryOf)].join('\n\n');
}
