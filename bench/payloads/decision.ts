/** The properties of a customer that are protected, in the order in which rule counts take them. */
export const PROPERTIES = [
  'ssn',
  'email',
  'phone',
  'address.street',
  'firstName',
  'lastName',
  'fullName',
  'mobile',
  'birthDate',
  'passport',
  'iban',
  'card',
  'income',
  'address.city',
  'address.zip',
  'employer.name',
  'employer.phone',
  'notes',
  'accounts.#.iban',
  'accounts.#.balance',
];

/** The actions of some properties; the others are masked by default. */
const ACTIONS: Readonly<Record<string, string>> = {
  phone: 'last(4)',
  passport: 'first(2)',
  iban: 'edges(4)',
  notes: 'withheld',
};

interface Leaf {
  readonly attribute: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Rules for so many properties. Beyond those of a customer they name properties that it lacks, as policies of an estate do. */
export function masks(count: number): string {
  return decision(propertiesOf(count).map((property) => access(property, ACTIONS[property] ?? 'MASK')));
}

function propertiesOf(count: number): readonly string[] {
  const others = Array.from(
    { length: Math.max(0, count - PROPERTIES.length) },
    (_, index) => `field${index}`,
  );
  return [...PROPERTIES.slice(0, count), ...others];
}

/** Rules for so many properties, of which the last holds in all records but one. */
export function masksExceptOwn(count: number, id: string): string {
  const own = { attribute: 'id', operator: 'NOT_IN', values: [id] };
  const rules = propertiesOf(count - 1).map((property) => access(property, ACTIONS[property] ?? 'MASK'));
  return decision(rules, [privilege('MASK', [isAnyOf('column', 'notes'), own])]);
}

/** Rules for so many properties, of which each holds in all records but one. */
export function masksExceptOwnEach(count: number, id: string): string {
  const own = { attribute: 'id', operator: 'NOT_IN', values: [id] };
  const rules = propertiesOf(count).map((property) => privilege('MASK', [isAnyOf('column', property), own]));
  return decision([], rules);
}

/** The rules of {@link masks}, each of a policy whose name ends in a text. */
export function masksByPolicies(count: number, text: string): string {
  return decision(
    propertiesOf(count).map((property) =>
      access(property, ACTIONS[property] ?? 'MASK', `Protect ${property} ${text}`),
    ),
  );
}

/** One action for so many properties, the first of which are texts and an address. */
export function actionOn(count: number, action: string): string {
  return decision(PROPERTIES.slice(0, count).map((property) => access(property, action)));
}

/** The default mask on some properties. */
export function maskOnly(properties: readonly string[]): string {
  return decision(properties.map((property) => access(property, 'MASK')));
}

/** The default mask on some properties, as the rules of a rules document. */
export function maskOnlyInRules(properties: readonly string[]): readonly object[] {
  return properties.map((property) => ruleFor(property));
}

/** The masks of {@link conditionalMasks}, as the rules of a rules document. */
export function conditionalMasksInRules(count: number): readonly object[] {
  const when = { attribute: 'status', operator: 'IN', values: ['closed'] };
  return PROPERTIES.slice(0, count).map((property) => ruleFor(property, { when }));
}

function ruleFor(property: string, others: object = {}): object {
  return { policy: `Protect ${property}`, properties: [property], action: 'MASK', ...others };
}

/** Rules for properties that no record has. */
export function masksOfNothing(count: number): string {
  return decision(Array.from({ length: count }, (_, index) => access(`absent${index}`, 'MASK')));
}

/** Rules that each hold in one record of four. */
export function conditionalMasks(count: number): string {
  const rules = PROPERTIES.slice(0, count).map((property) =>
    privilege('MASK', [isAnyOf('column', property), isAnyOf('status', 'closed')]),
  );
  return decision([], rules);
}

/** Four masks, and a filter that every second record passes. */
export function filterOfHalf(): string {
  const properties = PROPERTIES.slice(0, 4).map((property) => access(property, 'MASK'));
  return decision(properties, [privilege('FILTER', [isAnyOf('region', 'north')])]);
}

/** One rule on every leaf of every record: a condition that names no property. */
export function maskOfEveryLeaf(): string {
  return decision([], [privilege('MASK', [isAnyOf('segment', 'retail', 'private')])]);
}

function isAnyOf(attribute: string, ...values: readonly string[]): Leaf {
  return { attribute, operator: 'IN', values };
}

function access(property: string, action: string, policy = `Protect ${property}`): object {
  return {
    path: property,
    resourceType: 'columns',
    attributes: { column: [property] },
    actions: [{ action }],
    policies: [{ name: policy, metadata: {} }],
  };
}

function privilege(action: string, conditions: readonly Leaf[]): object {
  const filter = { AND: conditions };
  return { resourceType: 'columns', actions: [{ action, 'asset-attributes-filter': filter }] };
}

function decision(properties: readonly object[], allowed: readonly object[] = []): string {
  const section = { access: properties, privileges: { allowed, denied: [] } };
  return JSON.stringify({ tokenValidity: 300, response: [section] });
}
