import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { NO_MASK_KEYS, type Condition, type Rules } from '../../../../src/core/index.ts';
import { ServiceError } from '../../../../src/errors.ts';
import { readDecision } from '../../../../src/pdp/decisions/resolution/decision.ts';
import { KnownRules } from '../../../../src/pdp/decisions/resolution/known-rules.ts';
import { SETTINGS } from './reading.ts';

/** What some entries have in common with others, and what tempts a reader of bytes: brackets in strings, copies within others. */
const MASK_SSN = '{"resourceType":"columns","attributes":{"column":["ssn"]}}';
const OF_OWNER =
  '{"resourceType":"columns","actions":[{"action":"MASK","asset-attributes-filter":{"attribute":"owner","operator":"IN","values":["u"]}}]}';
const ENTRIES = [
  MASK_SSN,
  OF_OWNER,
  OF_OWNER.replace('"u"', '"v"'),
  OF_OWNER.replace('"u"', '"longer"'),
  OF_OWNER.replace('"MASK"', '"FILTER"'),
  '{"resourceType":"columns","attributes":{"column":["}]{\\"[","b"]}}',
  `{"resourceType":"columns","attributes":{"column":"a"},"other":${MASK_SSN}}`,
  `{"resourceType":"columns","attributes":{"column":"a"},"other":[${MASK_SSN},${MASK_SSN}]}`,
  '{"resourceType":"rows","path":"x"}',
  ' { "resourceType" : "columns" , "attributes" : { "column" : "c" } } ',
];
const WRONG = [
  '{}',
  '{"resourceType":"columns"}',
  `${MASK_SSN}.5`,
  `5${MASK_SSN}`,
  `${MASK_SSN}${MASK_SSN}`,
  '{"resourceType":"columns","resourceType":"columns","attributes":{"column":["ssn"]}}',
];

const entry = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(...ENTRIES) },
  { weight: 1, arbitrary: fc.constantFrom(...WRONG) },
);
const before = fc.constantFrom('', '"id":1,', '"id":22,', `"id":${MASK_SSN},`, '"response":[],');
const after = fc.constantFrom('', ',"time":1', ',"time":"later"', ',"maskShort":true', ',"data":{}');

interface Written {
  readonly before: string;
  readonly after: string;
  readonly access: readonly string[];
  readonly allowed: readonly string[];
}

const first = fc.record({
  before,
  after,
  access: fc.array(entry, { maxLength: 30 }),
  allowed: fc.array(entry, { maxLength: 5 }),
});
/** What changes from one decision to the next. */
const change = fc.record({
  list: fc.constantFrom<'access' | 'allowed'>('access', 'allowed'),
  at: fc.nat(30),
  removed: fc.nat(1),
  added: fc.array(entry, { maxLength: 2 }),
});
interface Next extends Pick<Written, 'before' | 'after'> {
  readonly changes: readonly {
    readonly list: 'access' | 'allowed';
    readonly at: number;
    readonly removed: number;
    readonly added: readonly string[];
  }[];
}
const next: fc.Arbitrary<Next> = fc.record({ before, after, changes: fc.array(change, { maxLength: 3 }) });

function changed(written: Written, { changes, ...others }: Next): Written {
  const lists = { access: [...written.access], allowed: [...written.allowed] };
  for (const { list, at, removed, added } of changes) lists[list].splice(at, removed, ...added);
  return { ...others, ...lists };
}

function textOf({ before: start, after: end, access, allowed }: Written): string {
  return `{${start}"response":[{"access":[${access.join(',')}],"privileges":{"allowed":[${allowed.join(',')}]}}]${end}}`;
}

/** What is asked, or why nothing is. */
function outcome(text: string, known?: KnownRules): unknown {
  try {
    return described(readDecision(Buffer.from(text), SETTINGS, NO_MASK_KEYS, known));
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, message: error.message };
    throw error;
  }
}

function described({ properties, filters, filterDefault, maskShort }: Rules): unknown {
  return {
    filterDefault,
    maskShort,
    properties: properties.map(({ source, policies, about }) => ({
      source: { ...source },
      policies,
      about: 'condition' in about ? treeOf(about.condition) : about.properties,
    })),
    filters: filters.map(({ source, effect, condition }) => ({
      source: { ...source },
      effect,
      of: treeOf(condition),
    })),
  };
}

function treeOf(condition: Condition): unknown {
  if (condition.kind !== 'leaf') return { kind: condition.kind, of: condition.of.map(treeOf) };
  const { subject, attribute, written, values, paths } = condition;
  return { subject, attribute, written, values, paths };
}

test('a decision says the same, whatever decisions were read before', () => {
  fc.assert(
    fc.property(first, fc.array(next, { minLength: 1, maxLength: 8 }), (begun, changes) => {
      const known = new KnownRules();
      let written: Written = begun;
      for (const one of [undefined, ...changes]) {
        written = one ? changed(written, one) : written;
        const text = textOf(written);
        expect(outcome(text, known)).toEqual(outcome(text));
      }
    }),
    { numRuns: 700 },
  );
});

test('entries that the decision before has are not read again, wherever the bytes of the others moved them', () => {
  const known = new KnownRules();
  const many = Array.from({ length: 20 }, (_, index) => MASK_SSN.replace('ssn', `field${index}`));
  const read = (written: Partial<Written>) =>
    readDecision(
      Buffer.from(textOf({ before: '', after: '', access: many, allowed: [], ...written })),
      SETTINGS,
      NO_MASK_KEYS,
      known,
    ).properties;
  const begun = read({});
  expect(read({ before: '"id":22,' })).toEqual(begun);
  const moved = read({ before: '"id":1,', access: many.with(7, MASK_SSN), after: ',"time":"later"' });
  const others = moved.filter((_rule, index) => index !== 7);
  for (const [index, rule] of others.entries()) expect(rule).toBe(begun.toSpliced(7, 1)[index]);
});
