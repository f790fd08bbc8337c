import { createContext } from 'preact';
import type { Explanation, Rule } from './explanation.ts';
import type { Mark } from './merged-view.ts';

/** How many colors and shapes there are. They have no common divisor, so that two rules share one of them at most. */
const COLORS = 5;
const SHAPES = 6;

/** The look of what no rule changed or keeps. */
export const UNDECIDED = 'undecided';

/** The classes of rules: a color, and a shape for readers who do not tell colors apart. */
export interface Looks {
  ofRule(rule: Rule): string;
  /** The look of each mark: that of the rule that decided. */
  ofMarks(marks: readonly Mark[], explanation: Explanation): readonly string[];
}

/** The looks of the rules that several users get: the same rule looks the same for all of them. */
export function looksOf(explanations: readonly Explanation[]): Looks {
  const order = new Map<string, number>();
  for (const rule of explanations.flatMap(({ rules }) => rules)) {
    const key = keyOf(rule);
    order.set(key, order.get(key) ?? order.size);
  }
  const ofRule = (rule: Rule): string => {
    const at = order.get(keyOf(rule)) ?? 0;
    return `color-${at % COLORS} shape-${at % SHAPES}`;
  };
  return {
    ofRule,
    ofMarks(marks, { rules }) {
      const ofId = new Map(rules.map((rule) => [rule.id, ofRule(rule)]));
      return marks.map(({ change, record }) => {
        const id = change?.rule ?? record?.because.find(({ holds }) => holds)?.rule;
        return (id === undefined ? undefined : ofId.get(id)) ?? UNDECIDED;
      });
    },
  };
}

/** The looks of everything that is shown at the time. */
export const LooksContext = createContext(looksOf([]));

function keyOf({ policy, action }: Rule): string {
  return JSON.stringify([policy, action]);
}
