import { ACTIONS } from '../../../src/core/index.ts';
import { problemWithAction } from '../../../src/pdp/policies/index.ts';

/** What `\s` of JavaScript finds, in Go's syntax, whose own finds less. */
const SPACES = String.raw`\s\v\p{Z}\x{FEFF}`;

/** A regular expression of Go that finds what one of JavaScript finds in any letter case. */
function goPattern(pattern: string): string {
  const spaced = pattern.replaceAll(/\\s/giu, (escape) =>
    escape === String.raw`\s` ? `[${SPACES}]` : `[^${SPACES}]`,
  );
  return `(?is)${spaced}`;
}

/** The embedded PDP's own words, so that the chart's can't differ. */
function problemOf(action: string): string {
  const problem = problemWithAction(action);
  if (problem === undefined) throw new Error(`The embedded PDP takes the action ${action}`);
  return problem;
}

/** Texts that are meant as actions: if they are not of the form of one, they are not literals either. */
interface Opening {
  readonly begins: string;
  readonly message: string;
}

function openingOf(name: string): Opening {
  const message = problemOf(`${name}((`);
  const spaces = problemOf(`${name} ((`) === message ? String.raw`\s*` : '';
  return { begins: goPattern(String.raw`^\s*${name}${spaces}\(`), message };
}

const PRIORITY: Opening = { begins: goPattern(String.raw`^\s*\d+\s*::`), message: problemOf('1::MASK') };

/**
 * `files/policy-actions.json` of a chart with policies: the forms of actions, by which its templates refuse what the embedded
 * PDP would refuse, in the same words. A text of such a form may still be wrong, such as a JSON value that is none.
 */
export function policyActions(): string {
  const forms = ['filter', ...ACTIONS.map(({ pattern }) => pattern)].join('|');
  const names = ['filter', ...ACTIONS.flatMap((action) => action.names)];
  return JSON.stringify({
    pattern: goPattern(String.raw`^\s*(?:${forms})\s*$`),
    openings: [PRIORITY, ...names.map(openingOf)],
    message: problemOf('?'),
  });
}
