import lodash from 'lodash';
import { checkConfiguration, type Configuration } from '../config/index.ts';
import { JsonDepthError, JsonSyntaxError, scan } from '../core/index.ts';
import { createRemotePdp, loadEmbeddedPdp, type PolicyFile, type Transport } from '../pdp/index.ts';
import {
  lineAt,
  type PlaygroundProblem,
  type PlaygroundRequest,
  type Source,
} from '../places/playground/index.ts';
import { ConfigurationError, type Problem } from '../yaml/index.ts';
import { settingsOf } from './in-process.ts';

/** A required address to which nothing is ever sent. */
const UNUSED_ADDRESS = new URL('http://pdp.invalid/');
/** The secret of every scope in the playground: anyone may act as any user there. */
const SECRET = 'playground';

type Opened = Source | { readonly problems: readonly PlaygroundProblem[] };

/**
 * Makes what decides, of what the reader of the playground typed. It is what the service uses: the embedded PDP for a policy
 * file, and otherwise the protocol of a PDP that gives this very answer.
 */
export function openSource({ source: { kind, text }, settings }: PlaygroundRequest): Promise<Opened> {
  return kind === 'policies' ? openPolicies(text, settings) : openAnswer(kind, text, settings);
}

type Chosen = PlaygroundRequest['settings'];

const ATTRIBUTES = { attrName: 'column', object: 'table' } as const;

/** The same for each request. */
const openDefaults = lodash.once((): Promise<Configuration> => {
  const values = { port: 0, pdpUrl: UNUSED_ADDRESS.href, ...ATTRIBUTES };
  return checkConfiguration(values, { name: 'playground', folder: '.' });
});

async function openPolicies(text: string, { filterDefault }: Chosen): Promise<Opened> {
  const { createEmbeddedPdp, parsePolicyText } = await loadEmbeddedPdp();
  try {
    const file = parsePolicyText(text, 'policies');
    const { attrName, object } = file;
    const chosen = filterDefault === undefined ? {} : { filterDefault };
    return {
      pdp: createEmbeddedPdp({ current: openedForAnyone(file) }),
      settings: { ...(await openDefaults()), attrName, object, ...settingsOf(file), ...chosen },
      credentials: (claims) => ({
        headers: claims.trim() === '' ? [] : [['Authorization', `Bearer ${unsignedToken(claims)}`]],
        vendor: file.scopes === undefined ? {} : { clientSecret: SECRET },
      }),
    };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { problems: error.problems.map(problemFrom) };
  }
}

function problemFrom({ line, key, message }: Problem): PlaygroundProblem {
  return problem([key, message].join(' ').trim(), line);
}

/** The file with scopes that the playground can enter, and with claims that it accepts unverified. */
function openedForAnyone(file: PolicyFile): PolicyFile {
  const scopes = file.scopes?.map(({ clientId, entityTypeId }) => ({
    clientId,
    entityTypeId,
    clientSecret: SECRET,
  }));
  return { ...file, scopes, trustUnverifiedClaims: true };
}

function unsignedToken(claims: string): string {
  const parts = ['{"alg":"none"}', claims.trim()].map((part) => Buffer.from(part).toString('base64url'));
  return `${parts.join('.')}.`;
}

async function openAnswer(
  kind: 'decision' | 'rules',
  text: string,
  { attrName, object, filterDefault }: Chosen,
): Promise<Opened> {
  const configuration: Configuration = {
    ...(await openDefaults()),
    attrName: attrName ?? ATTRIBUTES.attrName,
    object: object ?? ATTRIBUTES.object,
    filter: true,
    filterDefault: filterDefault ?? filterDefaultOf(text),
  };
  const bytes = Buffer.from(text);
  const found = syntaxProblem(bytes, configuration.maxDepth);
  if (found !== undefined) return { problems: [found] };
  const answer = kind === 'decision' ? bytes : Buffer.from(`{"result":${text}}`);
  const pdpProtocol = kind === 'decision' ? 'resolution' : 'opa';
  const addresses = {
    address: UNUSED_ADDRESS,
    resolution: { resolution: UNUSED_ADDRESS, token: UNUSED_ADDRESS },
  };
  return {
    pdp: await createRemotePdp({ ...configuration, pdpProtocol }, addresses, answering(answer)),
    settings: configuration,
    credentials: () => ({ headers: [], vendor: {} }),
  };
}

/** An answer without any FILTER is not meant to remove records. */
function filterDefaultOf(text: string): 'allow' | 'deny' {
  return /\bFILTER\b/iu.test(text) ? 'deny' : 'allow';
}

function syntaxProblem(bytes: Buffer, maxDepth: number): PlaygroundProblem | undefined {
  try {
    scan(bytes, maxDepth);
    return undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      return problem(`This is not valid JSON: ${error.message}.`, lineAt(bytes, error.offset));
    if (error instanceof JsonDepthError) return problem(`This is not valid JSON: ${error.message}.`);
    throw error;
  }
}

/** A PDP that gives one answer. */
function answering(answer: Buffer): Transport {
  return {
    decide: ({ messages }) => Promise.resolve(messages.map(() => answer)),
    connection: () => Promise.resolve({ connected: true }),
    close: () => Promise.resolve(),
  };
}

function problem(message: string, line?: number): PlaygroundProblem {
  return { part: 'policies', message, line };
}
