import { VALUE_TYPES } from '../../src/core/conditions/value-type.ts';
import { OPERATOR_NAMES } from '../../src/pdp/policies/operators.ts';

type Json = Readonly<Record<string, unknown>>;

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
const text = { type: 'string', minLength: 1 };
const path = { ...text, description: 'A path to a property, such as customer.ssn or cards.#.number.' };
/** A number is the text that it is written as. */
const identifier = { ...text, type: ['string', 'number'] };
const list = (items: Json): Json => ({ type: 'array', minItems: 1, items });
const scalar: Json = { type: ['string', 'number', 'boolean'] };
const ref = (name: string): Json => ({ $ref: `#/$defs/${name}` });
const closed = (properties: Json, required: readonly string[] = []): Json => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

/** The assets that a policy or a rule is about. */
function assetsOf(id: Json): Json {
  return closed({ type: text, ids: { anyOf: [{ const: 'all' }, list(id)] } }, ['type', 'ids']);
}

/** What policies of a policy file and rules of a rules document have in common. */
const RULE_MEMBERS: Json = {
  assetType: { ...text, description: 'A rule for another asset type than that of the request is ignored.' },
  effect: { enum: ['allowed', 'denied'], default: 'allowed' },
  object: { ...path, description: 'The prefix of all listed properties.' },
  properties: {
    description: 'The properties that are masked: paths, or all. FILTER has none.',
    anyOf: [{ const: 'all' }, list(path)],
  },
  action: ref('action'),
  priority: {
    type: 'integer',
    minimum: 0,
    description: 'Of rules that apply to one property, the lowest is applied.',
  },
  when: ref('condition'),
  assets: assetsOf(text),
  metadata: {
    type: 'object',
    additionalProperties: text,
    description:
      'DRY_RUN names the property that identifies a record in the log; the rule then changes nothing.',
  },
};

const DEFINITIONS: Json = {
  action: {
    description: 'MASK, FILTER, or a mask such as last(4); or { name, value } to set a value.',
    anyOf: [text, closed({ name: text, value: { type: ['string', 'number'] } }, ['name', 'value'])],
  },
  condition: {
    anyOf: [
      closed({ all: list(ref('condition')) }, ['all']),
      closed({ any: list(ref('condition')) }, ['any']),
      closed(
        {
          attribute: path,
          operator: {
            description: `One of ${OPERATOR_NAMES.join(', ')}; case and underscores do not matter.`,
            ...text,
          },
          type: { enum: VALUE_TYPES, default: 'STRING' },
          values: { description: 'A single value counts as a list of one.', anyOf: [scalar, list(scalar)] },
          match: { enum: ['ANY', 'ALL'], default: 'ANY' },
        },
        ['attribute', 'operator', 'values'],
      ),
    ],
  },
};

/** `docs/rules-document.schema.json`: what OPA and AuthZEN PDPs answer with. */
export function rulesDocumentSchema(): string {
  const rule = closed(
    {
      policy: { ...text, description: 'The name of the policy, for the log.' },
      ...RULE_MEMBERS,
      dryRun: { ...path, description: 'Short for metadata.DRY_RUN.' },
      maskShort: {
        type: 'boolean',
        description:
          'Whether a value that a partial mask would show in full gets the default mask. Without it, as configured.',
      },
    },
    ['action'],
  );
  return JSON.stringify({
    $schema: DRAFT,
    title: 'Rules document of the JSON masking authorizer',
    ...closed({ rules: { type: 'array', items: ref('rule') } }, ['rules']),
    $defs: { rule, ...DEFINITIONS },
  });
}

/** `docs/policy-file.schema.json`: the policy file of the embedded PDP, with the same definitions. */
export function policyFileSchema(): string {
  const audience = closed({
    entityIds: list(identifier),
    entityTypes: list(identifier),
    claims: { type: 'object', additionalProperties: list({ type: ['string', 'number', 'boolean'] }) },
  });
  const audiences = { anyOf: [ref('audience'), list(ref('audience'))] };
  const policy = closed(
    {
      name: { ...text, maxLength: 100 },
      scopes: list(text),
      for: audiences,
      except: audiences,
      ...RULE_MEMBERS,
      assets: assetsOf(identifier),
    },
    ['name', 'action'],
  );
  const names = { type: 'object', additionalProperties: { type: 'object', additionalProperties: path } };
  return JSON.stringify({
    $schema: DRAFT,
    title: 'Policy file of the JSON masking authorizer',
    ...closed(
      {
        attrName: { ...text, default: 'column' },
        object: { ...text, default: 'table' },
        assetType: { ...text, default: 'columns' },
        tokenValidity: { type: 'integer', minimum: 0, default: 0 },
        trustUnverifiedClaims: { type: 'boolean', default: false },
        maskShort: { type: 'boolean', default: true },
        scopes: list({ type: 'object', required: ['clientId'], properties: { clientId: text } }),
        mappers: { type: 'object', additionalProperties: names },
        policies: list(ref('policy')),
        tests: list(ref('test')),
      },
      ['policies'],
    ),
    $defs: { policy, audience, test: policyTest(), ...DEFINITIONS },
  });
}

function policyTest(): Json {
  const object = { type: 'object' };
  const payload = { description: 'A map, a list, or JSON text.', type: ['object', 'array', 'string'] };
  return closed(
    {
      name: { ...text, maxLength: 200 },
      as: closed({ entityTypeId: text, entityId: text, claims: object }),
      parameters: object,
      vendor: object,
      json: payload,
      expect: payload,
      expectError: { ...text, description: 'The code of an error, instead of expect.' },
    },
    ['name', 'json'],
  );
}
