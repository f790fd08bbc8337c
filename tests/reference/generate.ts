import * as fc from 'fast-check';
import type { EnforcementProblem, ReferenceConfig, ReferenceParameters } from './enforce.ts';
import { brokenDecision, decisionOn } from './generate/decision.ts';
import { anyPayload, type Payload } from './generate/payload.ts';
import { anySpacing, printSpaced } from './generate/spacing.ts';
import { scalarText } from './model.ts';

/**
 * Whole enforcement problems: a payload as text, a configuration, a request's parameters and a decision whose paths and
 * values are drawn from that very payload, so that most rules hit.
 *
 * What the pages leave undecided is left out: it would only compare two readings of them.
 */
export const enforcementProblem: fc.Arbitrary<EnforcementProblem> = anyPayload.chain((payload) => {
  return parametersFor(payload).chain((parameters) => {
    return fc.record({
      config: configFor(payload),
      parameters: fc.constant(parameters),
      vendor: fc.constantFrom({ entityId: 'jane' }, {}),
      jsonText: anySpacing.map((gaps) => printSpaced(payload.json, gaps)),
      decision: decisionFor(payload, parameters),
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
    filterDefault: fc.constantFrom(undefined, 'allow' as const, 'deny' as const),
  });
  return fc.tuple(names, settings, fc.constant({ rootWord })).map(merged);
}

function parametersFor({ root, prefixes }: Payload): fc.Arbitrary<ReferenceParameters> {
  const context = fc
    .constantFrom('id', 'id', 'not.here', ...prefixes.map((prefix) => `${prefix}.id`))
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
    { filter: true },
    { FILTER: false },
    { maskString: '#' },
  );
  return fc.tuple(mode, overrides, fc.constant(root === undefined ? {} : { root })).map(merged);
}

function merged<A, B, C>([first, second, third]: [A, B, C]): A & B & C {
  return { ...first, ...second, ...third };
}

/** A decision that is not understood is said only of a payload that is: which error comes first is nobody's concern. */
function decisionFor(
  payload: Payload,
  { calculationType, assetId }: ReferenceParameters,
): fc.Arbitrary<unknown> {
  const assetIds = calculationType === 'context' ? identifiersOf(payload) : [];
  const understood = { weight: 30, arbitrary: decisionOn(payload, assetIds) };
  const mayBeBroken = payload.prefixes.length > 0 && assetId !== 'not.here';
  return mayBeBroken ? fc.oneof(understood, { weight: 1, arbitrary: brokenDecision }) : understood.arbitrary;
}

/** The identifiers of the records, and one that none has. */
function identifiersOf({ records }: Payload): string[] {
  const members = records.flatMap((record) => (record.kind === 'object' ? record.members : []));
  return [...members.flatMap(({ name, value }) => (name === 'id' ? (scalarText(value) ?? []) : [])), 'c9'];
}
