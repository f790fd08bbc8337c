import * as fc from 'fast-check';
import type { EnforcementProblem, ReferenceConfig, ReferenceParameters } from './enforce.ts';
import { brokenDecision, decisionOn, repeatingDecision } from './generate/decision.ts';
import { anyPayload, type Payload } from './generate/payload.ts';
import { anySpacing, printSpaced } from './generate/spacing.ts';
import { scalarText } from './model.ts';

/**
 * Whole enforcement problems: a payload as text, a configuration, a request's parameters and a decision whose paths and
 * values are drawn from that very payload, so that most rules hit.
 *
 * What the pages leave undecided is left out: it would only compare two interpretations of them.
 */
export const enforcementProblem: fc.Arbitrary<EnforcementProblem> = anyPayload.chain((payload) => {
  return parametersFor(payload).chain((parameters) => {
    return fc.record({
      config: configFor(payload),
      parameters: fc.constant(parameters),
      vendor: fc.constantFrom({ entityId: 'jane' }, {}),
      jsonText: anySpacing.map((gaps) => printSpaced(payload.json, gaps)),
      decision: decisionFor(payload, parameters),
      decisionText: mayBeBroken(payload, parameters) ? seldomRepeating : fc.constant(undefined),
    });
  });
});

function configFor({ rootWord }: Payload): fc.Arbitrary<ReferenceConfig> {
  const names = fc.oneof(
    { weight: 8, arbitrary: fc.constant({ attrName: 'column', object: 'table' }) },
    { weight: 1, arbitrary: fc.constant({ attrName: 'column', object: undefined }) },
    { weight: 1, arbitrary: fc.constant({ attrName: undefined, object: undefined }) },
  );
  const settings = fc.record({
    maskString: fc.constantFrom('***', '', '[hidden]'),
    maskShort: fc.boolean(),
    filter: fc.boolean(),
    filterDefault: fc.constantFrom(undefined, 'allow' as const, 'allow' as const, 'deny' as const),
  });
  return fc.tuple(names, settings, fc.constant({ rootWord })).map(merged);
}

function parametersFor({ root, prefixes }: Payload): fc.Arbitrary<ReferenceParameters> {
  const context = fc
    .constantFrom(
      'id',
      'id',
      'not.here',
      ...prefixes.filter((prefix) => !/[*?]/.test(prefix)).map((prefix) => `${prefix}.id`),
    )
    .map((assetId) => ({
      calculationType: 'context',
      assetId,
      protectedObject: 'Customer',
    }));
  const mode = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<ReferenceParameters>({}, { calculationType: 'resolution' }) },
    { weight: 1, arbitrary: context },
  );
  const overrides = fc.constantFrom<ReferenceParameters>(
    {},
    {},
    {},
    {},
    { filter: true },
    { filter: true },
    { FILTER: false },
    { maskString: '#' },
    MISSPELT,
  );
  return fc.tuple(mode, overrides, fc.constant(root === undefined ? {} : { root })).map(merged);
}

const seldomRepeating: fc.Arbitrary<string | undefined> = fc.oneof(
  { weight: 60, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: repeatingDecision },
);

/** An unknown parameter, which must not count as none. */
const MISSPELT: ReferenceParameters = Object.fromEntries([['Root', 'rows']]);

function merged<A, B, C>([first, second, third]: [A, B, C]): A & B & C {
  return { ...first, ...second, ...third };
}

/** Only a payload that is understood has a decision that is not: the pages do not order the errors. */
function decisionFor(payload: Payload, parameters: ReferenceParameters): fc.Arbitrary<unknown> {
  const assetIds = parameters.calculationType === 'context' ? identifiersOf(payload) : [];
  const understood = { weight: 30, arbitrary: decisionOn(payload, assetIds) };
  return mayBeBroken(payload, parameters)
    ? fc.oneof(understood, { weight: 1, arbitrary: brokenDecision })
    : understood.arbitrary;
}

function mayBeBroken({ prefixes, records }: Payload, { assetId }: ReferenceParameters): boolean {
  return prefixes.length > 0 && records.length > 0 && assetId !== 'not.here';
}

/** The identifiers of the records, and one that none has. */
function identifiersOf({ records }: Payload): string[] {
  const members = records.flatMap((record) => (record.kind === 'object' ? record.members : []));
  return [...members.flatMap(({ name, value }) => (name === 'id' ? (scalarText(value) ?? []) : [])), 'c9'];
}
