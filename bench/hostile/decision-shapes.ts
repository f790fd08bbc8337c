import { access, decision, leaf, privilege } from './shape.ts';

/** A large decision, and how many entries and names are in it. */
export interface DecisionShape {
  readonly name: string;
  /** @param size how many of what it has many of */
  make(size: number): { readonly decision: object; readonly entries: number; readonly names: number };
}

function many<T>(size: number, item: (index: number) => T): T[] {
  return Array.from({ length: size }, (_, index) => item(index));
}

/** One entry for each name. */
function entries(name: string, entry: (index: number) => object): DecisionShape {
  return {
    name,
    make: (size) => ({ decision: decision(many(size, entry)), entries: size, names: size }),
  };
}

/** One privilege with one condition or several for each name. */
function privileges(name: string, names: number, entry: (index: number) => object): DecisionShape {
  return {
    name,
    make: (size) => ({ decision: decision([], many(size, entry)), entries: size, names: size * names }),
  };
}

/** One entry with all names. */
function inOne(name: string, entry: (names: readonly string[]) => object, isAccess = false): DecisionShape {
  return {
    name,
    make: (size) => {
      const one = [entry(many(size, (index) => `field${index}`))];
      return { decision: isAccess ? decision(one) : decision([], one), entries: 1, names: size };
    },
  };
}

/** As many alternatives as names, each about one of them, and as many other conditions. */
function alternatives(name: string, operator: string): DecisionShape {
  return inOne(name, (names) => {
    const OR = names.map((one) => ({
      AND: [leaf('column', operator, [one]), leaf('status', 'EQUALS', [one])],
    }));
    return privilege('MASK', { AND: [{ OR }, ...names.map((one) => leaf(one, 'EQUALS', ['1']))] });
  });
}

const STATUS = leaf('status', 'EQUALS', ['closed']);
const SSN = leaf('column', 'EQUALS', ['ssn']);

export const DECISION_SHAPES: readonly DecisionShape[] = [
  entries('many entries', (index) => access(`field${index}.name`)),
  entries('many literals', (index) => access(`field${index}`, `literal ${index}`)),
  entries('many priorities on one property', (index) => access('field', `${99_999 - index}::last(4)`)),
  entries('many entries of one property', () => access('field')),
  inOne('many names in one entry', (names) => access(names), true),
  inOne('many names in a condition', (names) => privilege('MASK', leaf('column', 'IN', names))),
  inOne('many names that a condition excludes', (names) =>
    privilege('MASK', leaf('column', 'NOT_IN', names)),
  ),
  inOne('many values in a condition', (names) =>
    privilege('MASK', { AND: [leaf('column', 'EQUALS', ['ssn']), leaf('status', 'IN', names)] }),
  ),
  inOne('many alternatives', (names) =>
    privilege('MASK', { OR: names.map((name) => leaf('column', 'EQUALS', [name])) }),
  ),
  alternatives('many alternatives beside many conditions', 'EQUALS'),
  alternatives('many alternatives that exclude names, beside many conditions', 'NOT_EQUALS'),
  privileges('many names below prefixes', 2, (index) =>
    privilege('MASK', {
      AND: [leaf('table', 'EQUALS', [`table${index}`]), leaf('column', 'EQUALS', ['ssn'])],
    }),
  ),
  entries('many literals below a prefix', (index) => access(`field${index}`, `literal ${index}`, 'address')),
  privileges('many literals below a prefix, by conditions', 2, (index) =>
    privilege(`literal ${index}`, {
      AND: [leaf('table', 'EQUALS', ['address']), leaf('column', 'EQUALS', [`field${index}`])],
    }),
  ),
  entries('many paths through lists', (index) => access(`address.tags.#.field${index}`)),
  entries('many wildcards', (index) => access(`*field${index}`)),
  privileges('many attributes', 3, (index) =>
    privilege('MASK', { AND: [SSN, leaf(`address.field${index}`, 'EQUALS', ['1'])] }),
  ),
  privileges('many conditional masks', 2, (index) =>
    privilege('MASK', { AND: [leaf('column', 'EQUALS', [`field${index}`]), STATUS] }),
  ),
  privileges('many texts in paths', 1, (index) =>
    privilege('MASK', leaf('column', 'CONTAINS', [`text${index}`])),
  ),
  privileges('many beginnings of paths', 1, (index) =>
    privilege('MASK', leaf('column', 'STARTS_WITH', [`text${index}`])),
  ),
  privileges('many texts in prefixes', 2, (index) =>
    privilege('MASK', {
      AND: [leaf('table', 'CONTAINS', [`text${index}`]), leaf('column', 'EQUALS', ['ssn'])],
    }),
  ),
  privileges('many texts in names below a prefix', 2, (index) =>
    privilege('MASK', {
      AND: [leaf('table', 'EQUALS', ['address']), leaf('column', 'CONTAINS', [`text${index}`])],
    }),
  ),
  privileges('many filters', 1, (index) => privilege('FILTER', leaf('status', 'EQUALS', [`s${index}`]))),
];
