import * as fc from 'fast-check';
import type { EnforcementProblem, ReferenceParameters } from '../enforce.ts';
import { isContainer } from '../model.ts';
import { parseJson } from '../parse.ts';
import { chainOf, descendantsOf, topPlace, type Step } from '../place.ts';
import { smallDecision, smallPath } from './small-decision.ts';

const ROOT_WORDS = [undefined, undefined, 'a', 'r', '#', 'json', '0'] as const;

const anyMember = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('a', 'b', 'r', 'json', '#', '0'), value)
    .map(([name, text]) => `"${name}":${text}`);

const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    { weight: 3, arbitrary: fc.constantFrom('"x"', '1', 'null', 'true', '""') },
    { weight: 2, arbitrary: fc.array(tie('json'), { maxLength: 2 }).map((items) => `[${items.join()}]`) },
    {
      weight: 3,
      arbitrary: fc.array(anyMember(tie('json')), { maxLength: 2 }).map((all) => `{${all.join()}}`),
    },
  ),
}));

/**
 * Small problems of few names: the payload, its root, the root word and what a decision says have the same names, so that they meet
 * in every way. Unlike those of a service, these payloads have lists in lists, scalars among records, and properties named as the
 * root, the root word, `json` and `#`; and paths lead through the root, go on below what is missing, and have any segment anywhere.
 */
export const smallProblem: fc.Arbitrary<EnforcementProblem> = json
  .filter((text) => /^[[{]/.test(text))
  .chain((jsonText) =>
    fc.record({
      config: fc.constantFrom(...ROOT_WORDS).map((rootWord) => ({
        attrName: 'column',
        object: 'table',
        maskString: '***',
        filter: true,
        filterDefault: 'allow' as const,
        rootWord,
      })),
      parameters: parametersFor(jsonText),
      vendor: fc.constant({ entityId: 'jane' }),
      jsonText: fc.constant(jsonText),
      decision: smallDecision,
    }),
  );

function parametersFor(jsonText: string): fc.Arbitrary<ReferenceParameters> {
  const usual: fc.Arbitrary<ReferenceParameters> = fc.constant({});
  const root = fc
    .oneof({ weight: 5, arbitrary: rootIn(jsonText) }, { weight: 1, arbitrary: smallPath })
    .map((path) => ({ root: path }));
  const context = smallPath.map((assetId) => ({
    calculationType: 'context',
    assetId,
    protectedObject: 'rows',
  }));
  return fc
    .tuple(fc.oneof(usual, root, root), fc.oneof(usual, usual, usual, usual, context))
    .map((parts) => Object.assign({}, ...parts));
}

/** A path to an object or a list in the payload, with some of its steps as patterns. */
function rootIn(jsonText: string): fc.Arbitrary<string> {
  const top = topPlace({ value: parseJson(jsonText) });
  const routes = descendantsOf(top)
    .filter(({ slot }) => isContainer(slot.value))
    .map((place) => chainOf(place).flatMap(({ step }) => step ?? []));
  if (routes.length === 0) return fc.constantFrom('json', '$');
  return fc
    .constantFrom(...routes)
    .chain((route) => fc.tuple(fc.constantFrom('', '', 'json'), ...route.map(segmentFor)))
    .map((segments) => segments.filter((segment) => segment !== '').join('.') || 'json');
}

function segmentFor(step: Step): fc.Arbitrary<string> {
  if (typeof step === 'number') return fc.constantFrom('#', '#', '', String(step));
  const name = step.replace('#', String.raw`\#`);
  return fc.constantFrom(name, name, name, name, '*');
}
