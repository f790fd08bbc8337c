import { CONFIGURATION_KEYS } from '../../src/config/keys.ts';
import type { ConfigurationKey } from '../../src/config/keys.ts';

const INTRO = `# Configuration

Generated from the schema in \`src/config/schema.ts\` by \`npm run docs\`; change it there.

At start, the service reads one YAML file, which \`-c FILE\` names. Restart it to apply a change. If the file has problems, the service
reports all wrong keys and values at once, each with its line and what is expected, then what does not fit together, then the files that the
file names. It does not start until all are fixed. \`--check\` only verifies the file.

## Precedence

A request can set \`assetType\`, \`maskString\` and \`filter\`, too, under \`parameters\`. The request wins over the
configuration, and the configuration over the default. The \`root\` of a request replaces \`rootWord\`.

## Keys`;

const READING = `"Form" is the deployment form that the key is meant for; both forms accept every key.

## How the file is read

- The top level is a map. An unknown key is an error that names the nearest known one.
- You can write a key of a group nested or flat: \`log: { level: info }\` or \`log.level: info\`. If you write both, they must
  agree.
- \`null\`, or nothing after the colon, means that the key is absent.
- Types are strict: \`"5002"\` is not an integer, and \`1.10\` is not a string. \`00123\`, \`0x1F\`, \`0o17\` and \`+49\` are
  text. A mask string that begins with \`*\` needs quotes
  (\`maskString: '***'\`), because \`*\` begins an alias in YAML. So does one that begins with \`#\`: what
  follows is a comment, and the key is absent.
- Duplicate keys, anchors, aliases, tags and a second document are errors. So are keys that are missing before a colon,
  directives (\`%YAML 1.1\`), and characters that do not end a line for all readers (a lone carriage return, U+2028).
- Do not put secrets into the file. Credentials for the PDP come with each request.`;

const PDP_FORMS = `## The address of the PDP

Give one of \`pdpUrl\`, \`pdpHost\` and \`policyFile\`. \`policyFile\` excludes the other two, and \`pdpHost\` wins over \`pdpUrl\`.

The host and port of the PDP, with both default paths. Without a scheme, the service uses https if the port is 443, else
http:

\`\`\`yaml
port: 5002
pdpUrl: pdp.example.com:8080
rootWord: result
attrName: column
object: table
filter: true
log.level: info
\`\`\`

The full URL of the resolution endpoint. The token endpoint is \`pdpTokenPath\` on the same host and port:

\`\`\`yaml
port: 5002
pdpUrl: https://pdp.example.com/api/runtime/resolution/v3
\`\`\`

Separate host, port and paths, as in the values file of the Kubernetes form, which has all keys under \`config\`:

\`\`\`yaml
config:
  port: 5002
  pdpHost: pdp.example.com
  pdpPort: 443
  pdpResolutionPath: /api/runtime/resolution/v3
  pdpTokenPath: /api/runtime/token/v3
  log:
    level: info
\`\`\`

The embedded PDP, which decides according to a policy file:

\`\`\`yaml
port: 5002
policyFile: policies.yaml
\`\`\``;

const HEADINGS = ['Key', 'Type', 'Unit', 'Default', 'Meaning', 'Form'];

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function defaultOf(key: ConfigurationKey): string {
  if (key.required) return '**required**';
  return key.default === undefined ? 'none' : code(key.default);
}

function meaningOf({ description, example }: ConfigurationKey): string {
  return example === undefined ? description : `${description} Example: ${code(example)}.`;
}

function rowOf(key: ConfigurationKey): readonly string[] {
  return [code(key.key), typeOf(key), key.unit ?? '', defaultOf(key), meaningOf(key), key.form];
}

function typeOf({ expectation }: ConfigurationKey): string {
  return expectation.replace(/^an? /, '');
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** The reference page of the configuration, in Markdown. */
export function configurationPage(): string {
  const rule = HEADINGS.map(() => '---');
  const table = [HEADINGS, rule, ...CONFIGURATION_KEYS.map(rowOf)].map(tableLine).join('\n');
  return [INTRO, table, READING, PDP_FORMS].join('\n\n');
}
