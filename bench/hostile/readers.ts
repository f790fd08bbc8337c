import process from 'node:process';
import { NO_MASK_KEYS } from '../../src/core/actions/mask-keys.ts';
import { elementsOf, TOP } from '../../src/core/json/document.ts';
import { scan } from '../../src/core/json/scan.ts';
import { ScalarTexts } from '../../src/core/scalar-texts.ts';
import { FoundAssets } from '../../src/enforcement/assets.ts';
import type { Question } from '../../src/enforcement/index.ts';
import { ServiceError } from '../../src/errors.ts';
import { parseAnswer } from '../../src/pdp/decisions/json-answer.ts';
import { createEmbeddedPdp, parsePolicyText } from '../../src/pdp/protocols/embedded/index.ts';
import { decide } from '../../src/pdp/protocols/embedded/answer.ts';
import { evaluateSeveral } from '../../src/pdp/protocols/embedded/authzen.ts';
import { readQuestion } from '../../src/pdp/protocols/embedded/question.ts';
import { PdpRefusal } from '../../src/pdp/protocols/embedded/refusal.ts';
import { readCompiled } from '../../src/pdp/protocols/opa/compile-answer.ts';
import { readResult } from '../../src/pdp/protocols/opa/data-answer.ts';
import { readObligations } from '../../src/pdp/protocols/authzen/obligations.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import { readRequest } from '../../src/places/enforce-api/request.ts';
import { SETTINGS, type Outcome } from './enforcing.ts';
import { access, decision, leaf, privilege } from './shape.ts';
import type { Json } from './places.ts';
import { stretched } from './stretched.ts';
import type { Genome } from './search.ts';

/** Something that reads JSON which somebody else chose, besides payloads. */
interface JsonReader {
  readonly name: string;
  readonly sample: Json;
  /** @throws ServiceError or PdpRefusal, and nothing else */
  read(text: Buffer): unknown;
}

const MAX_DEPTH = 512;
/** Of what is read as a part of a request, which was scanned before. */
const ANY_DEPTH = 100_000;
const POLICIES = 40;
const ASSETS = 1000;

const policies = parsePolicyText(
  `mappers: { orders: { v1: { total: sum }, v2: { total: all.sum } } }
policies:
  - { name: Orders, assetType: orders, properties: [total], action: MASK }
${Array.from({ length: POLICIES }, (_, at) => policy(at)).join('\n')}`,
  'policies.yaml',
);

function policy(at: number): string {
  const listed = `{ type: Account, ids: [a${at}, a1] }`;
  return [
    `  - { name: P${at}, properties: [p${at}], action: MASK, when: { attribute: owner, operator: EQUALS, values: ['\${entityId}'] } }`,
    `  - { name: A${at}, assets: ${at % 2 === 0 ? '{ type: Account, ids: all }' : listed}, properties: [q${at}], action: MASK }`,
  ].join('\n');
}

const VENDOR = {
  clientId: 'app',
  clientSecret: 's3cret',
  environment: { resourceFullPath: ['v1'] },
};
const QUESTION = {
  ...VENDOR,
  entityTypeId: 'Agent',
  entityId: 'jane',
  includeAccessPolicy: true,
  includeAssetAttributes: true,
  resourceTypes: [{ name: 'columns' }, { name: 'Account' }, { name: 'orders' }],
  assetList: [{ template: 'Account', path: 'a1' }],
};
const NAMED = { subject: { type: 'Agent', id: 'jane' }, action: { name: 'read' } };
const EVALUATIONS = {
  ...NAMED,
  resource: { type: 'Account', id: 'orders' },
  context: { vendor: VENDOR },
  options: { evaluations_semantic: 'execute_all' },
  evaluations: [{ resource: { type: 'Account', id: 'a1' } }, { ...NAMED, context: { vendor: VENDOR } }],
};
const FIELD = { type: 'field', operator: 'ne', field: 'columns.a', value: 'x' };
const COMPILED = {
  result: {
    query: {
      type: 'compound',
      operator: 'not',
      value: [
        { type: 'compound', operator: 'and', value: [FIELD, { ...FIELD, operator: 'in', value: ['x', 1] }] },
      ],
    },
    masks: { columns: { a: { replace: { value: '*' } } } },
  },
};
const WHEN = { all: [{ any: [{ attribute: 'a', operator: 'IN', type: 'STRING', values: ['x', 'y'] }] }] };
const RULES = [
  {
    policy: 'P',
    properties: ['a', 'b.c'],
    object: 'o',
    action: { name: 'SET', value: 'x' },
    when: WHEN,
    metadata: { DRY_RUN: 'id' },
  },
  { assetType: 'columns', assets: { type: 'Account', ids: 'all' }, action: 'FILTER' },
];
const DECISION = decision(
  [access(['a', 'b'], 'MASK', ['o'])],
  [privilege('MASK', { AND: [leaf('column', 'IN', ['a', 'b']), { OR: [leaf('c', 'EQUALS', ['1'])] }] })],
  [privilege('MASK', leaf('column', 'STARTS_WITH', ['x']))],
);

const MESSAGE = { url: new URL('http://127.0.0.1/'), body: new Uint8Array() };
const asked: Question = {
  calculationType: 'context',
  headers: [],
  vendor: { doc: scan(Buffer.from('{}'), 1), node: TOP },
  assets: assets(),
  settings: { ...SETTINGS, protectedObject: 'Account' },
  keys: NO_MASK_KEYS,
};

function assets(): FoundAssets {
  const doc = scan(Buffer.from(JSON.stringify(Array.from({ length: ASSETS }, (_, at) => `a${at}`))), 1);
  const ids = new ScalarTexts(doc);
  for (const id of elementsOf(doc, TOP)) ids.add(id);
  return new FoundAssets('Account', ids);
}

const embedded = createEmbeddedPdp({ current: policies });

export const READERS: readonly [JsonReader, ...(readonly JsonReader[])] = [
  {
    name: 'vendor, by the embedded PDP',
    sample: QUESTION,
    read: async (text) =>
      (await embedded.decide({ ...asked, vendor: { doc: scan(text, ANY_DEPTH), node: TOP } })).rules,
  },
  {
    name: 'a question to the embedded PDP over HTTP',
    sample: QUESTION,
    read: async (text) => JSON.stringify(await decide(policies, 'context', readQuestion(text), [])),
  },
  {
    name: 'evaluations to the embedded PDP over HTTP',
    sample: EVALUATIONS,
    read: async (text) => JSON.stringify(await evaluateSeveral(policies, text, [])),
  },
  {
    name: "a request's other parts",
    sample: {
      parameters: { root: 'a.b', calculationType: 'context', assetId: 'id', protectedObject: 'Account' },
      vendor: QUESTION,
      json: [{ id: 1 }],
    },
    read: (text) => readRequest(text, MAX_DEPTH),
  },
  {
    name: "an answer of OPA's compile API",
    sample: COMPILED,
    read: (text) => readCompiled(parseAnswer(text), asked.settings),
  },
  {
    name: "an answer of OPA's data API",
    sample: { result: { allow: true, rules: RULES } },
    read: (text) => readResult(parseAnswer(text), asked, () => MESSAGE, { bareDecision: 'refuse' }),
  },
  {
    name: 'an answer of an AuthZEN PDP',
    sample: {
      decision: true,
      context: { obligations: [{ id: 'm', type: 'filter', properties: { filter: { rules: RULES } } }] },
    },
    read: (text) => readObligations(parseAnswer(text), asked),
  },
  {
    name: 'a decision',
    sample: JSON.parse(JSON.stringify(DECISION)),
    read: (text) => decisionFrom(text, asked.settings, NO_MASK_KEYS).rules,
  },
];

/** What a genome stands for: which reader, and what it reads. */
export function readingOf(
  genome: Genome,
  bytes: number,
): { readonly reader: JsonReader; readonly text: string } {
  const [first = 0, ...others] = genome;
  const reader = READERS[first % READERS.length] ?? READERS[0];
  return { reader, text: JSON.stringify(stretched(reader.sample, others, bytes)) };
}

/** Has a genome's text read. */
export async function costOfReading(genome: Genome, bytes: number): Promise<Outcome> {
  const { reader, text } = readingOf(genome, bytes);
  // Stretches of what is stretched already can make much more of it.
  if (text.length > bytes * 3) return { cpu: 0, answer: 'too long' };
  const body = Buffer.from(text);
  const before = process.cpuUsage();
  const answer = await outcomeOf(reader, body);
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1000, answer };
}

/** What comes of what is read: its length, or the code of the refusal. */
export async function outcomeOf(reader: JsonReader, body: Buffer): Promise<Outcome['answer']> {
  try {
    await reader.read(body);
    return body.length;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    if (error instanceof PdpRefusal) return `status ${error.status}`;
    throw error;
  }
}
