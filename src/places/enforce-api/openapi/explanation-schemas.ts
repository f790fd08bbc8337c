import { reference, type Json } from './json.ts';

const ID: Json = { type: 'integer', minimum: 0, description: 'The `id` of a rule.' };
const COUNT: Json = { type: 'integer', minimum: 0 };
const POINTER: Json = {
  type: 'string',
  description: 'A JSON pointer (RFC 6901) in the payload as the caller sent it.',
};
const HOLDS: Json = { type: 'boolean' };
const TREE = reference('schemas', 'ExplainedCondition');
const MILLISECONDS: Json = { type: 'number', minimum: 0 };

const RULE: Json = object(['id', 'policy', 'action', 'effect', 'dryRun', 'place', 'reached', 'applied'], {
  id: { ...ID, description: 'Its place in the order in which rules are tried; filters come last.' },
  policy: { type: 'string' },
  action: { type: 'string', description: 'As the PDP writes it, without the priority.' },
  priority: {
    type: ['integer', 'string'],
    description: 'A string of digits if a double cannot hold it. Absent without a priority.',
  },
  effect: { enum: ['allowed', 'denied'] },
  dryRun: { type: 'boolean' },
  place: { type: 'string', description: "A JSON pointer in the PDP's answer." },
  reached: { ...COUNT, description: 'How many places, or records for a filter, the rule is about.' },
  applied: { ...COUNT, description: 'At how many of them it decided; for a filter, for how many it holds.' },
});

const CHANGE: Json = object(['pointer', 'effect', 'lost'], {
  pointer: POINTER,
  effect: { enum: ['masked', 'set', 'created', 'removed', 'unchanged'] },
  rule: { ...ID, description: 'The rule that was applied. Absent if none was.' },
  condition: { ...TREE, description: 'The condition of that rule, if it has one.' },
  lost: {
    type: 'array',
    items: object(['rule', 'because'], {
      rule: ID,
      because: { enum: ['priority', 'condition', 'dryRun'] },
      condition: TREE,
    }),
  },
});

const RECORD: Json = object(['pointer', 'kept', 'because'], {
  pointer: POINTER,
  kept: { type: 'boolean' },
  because: {
    type: 'array',
    items: object(['rule', 'holds'], { rule: ID, holds: HOLDS, condition: TREE }),
  },
});

const CONDITION: Json = {
  description: 'A condition tree as the decision has it, with what came of each part. It holds no values.',
  oneOf: [
    object(['AND', 'holds'], { AND: { type: 'array', items: TREE }, holds: HOLDS }),
    object(['OR', 'holds'], { OR: { type: 'array', items: TREE }, holds: HOLDS }),
    object(['attribute', 'operator', 'holds', 'read'], {
      attribute: { type: 'string' },
      operator: { type: 'string' },
      holds: HOLDS,
      read: { enum: ['present', 'absent', 'unreadable'] },
    }),
  ],
};

/** The schemas of what `POST /explain` answers. */
export const EXPLANATION_SCHEMAS: Json = {
  Explanation: object(['payload', 'rules', 'changes', 'records', 'timings'], {
    payload: reference('schemas', 'Payload'),
    rules: { type: 'array', items: RULE },
    changes: { type: 'array', items: CHANGE },
    records: { type: 'array', items: RECORD },
    timings: {
      ...object(['pdp', 'mask'], { pdp: MILLISECONDS, mask: MILLISECONDS }),
      description: 'Milliseconds.',
    },
    truncated: { const: true, description: 'There is more than `maxExplained` and `maxAnswer` allow.' },
  }),
  ExplainedCondition: CONDITION,
};

function object(required: readonly string[], properties: Json): Json {
  return { type: 'object', required, properties, additionalProperties: false };
}
