import { CONFIGURATION_KEYS } from '../../src/config/keys.ts';
import type { ConfigurationKey } from '../../src/config/keys.ts';

const INTRO = `# Configuration

Generated from the schema in \`src/config/schema.ts\` by \`npm run docs\`; change it there.

The service reads one YAML file when it starts, which \`-c FILE\` names. A change takes effect with a restart. The file
is verified as a whole: every problem is reported at once, with its line and what would be right, and the service does
not start with any. \`--check\` does only that.

## Precedence

Some settings can also stand in a request: \`assetType\`, \`maskString\` and \`filter\`, under \`parameters\`. The request wins
over the configuration, and the configuration over the default. A request's \`root\` takes the place of \`rootWord\`.

## Keys`;

const READING = `"Form" is the deployment form that documents the key; both forms accept every key. "From" is where it is defined: the
service specification, the enforcement rules, or an addition of this service.

## How the file is read

- The top level is a map. An unknown key is an error that names the nearest known one.
- A key of a group may be written nested or flat: \`log: { level: info }\` or \`log.level: info\`. Both at once must agree.
- \`null\`, or nothing after the colon, means that the key is not given.
- Types are strict: \`"5002"\` is no integer, and \`1.10\` is no string. A mask string that begins with \`*\` needs quotes
  (\`maskString: '***'\`), because \`*\` begins an alias in YAML.
- A key that stands twice, an alias, a tag and a second document are errors.
- No key is meant for a secret. Those of the PDP come with each request.`;

const PDP_FORMS = `## Where the PDP is

One of \`pdpUrl\`, \`pdpHost\` and \`policyFile\` must be given; \`policyFile\` stands alone, and \`pdpHost\` wins over \`pdpUrl\`.

The host and port of the PDP, with both default paths. Without \`https://\`, it is https where the port is 443 and http
otherwise:

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

Host, port and paths apart, as in the values file of the Kubernetes form, where all keys sit under \`config\`:

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

The embedded PDP, which decides by a policy file:

\`\`\`yaml
port: 5002
policyFile: policies.yaml
\`\`\``;

const HEADINGS = ['Key', 'Type', 'Unit', 'Default', 'Meaning', 'Form', 'From'];

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
  return [code(key.key), typeOf(key), key.unit ?? '', defaultOf(key), meaningOf(key), key.form, key.source];
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
