import { ACTIONS, type MaskKey } from '../../../src/core/index.ts';
import lodash from 'lodash';
import { FOLLOWS_COLONS } from '../../../src/core/actions/registry.ts';
import { SPACES } from '../../../src/core/paths/pattern.ts';
import { DEFAULT_NAMES, problemWithAction, problemWithLiteral } from '../../../src/pdp/policies/index.ts';
import { parsePolicyText } from '../../../src/pdp/protocols/embedded/policy-file/load.ts';
import { ConfigurationError } from '../../../src/yaml/index.ts';

/** A regular expression of Go that finds what one of JavaScript finds in any letter case. */
function goPattern(pattern: string): string {
  const spaced = pattern.replaceAll(/\[\^\\s|\\s/giu, (escape) => {
    if (escape.startsWith('[')) return `[^${SPACES}`;
    return escape === String.raw`\s` ? `[${SPACES}]` : `[^${SPACES}]`;
  });
  return `(?is)${spaced}`;
}

/** The same with the names of actions. In any letter case, Go takes `\u017F` for an s, which it is not when names are made lower case. */
function goNames(pattern: string): string {
  return goPattern(pattern.replaceAll(/(?<!\\)s/gu, '(?-i:[sS])'));
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
  const between = problemOf(`${name}4 ((`) === message ? String.raw`\d*\s*` : '';
  return { begins: goPattern(String.raw`^\s*${name}${between}\(`), message };
}

const PRIORITY: Opening = { begins: goPattern(String.raw`^\s*\d+\s*::`), message: problemOf('1::MASK') };

const COLONS: Opening = {
  begins: goPattern(FOLLOWS_COLONS.source),
  message: problemWithLiteral('x::MASK') ?? '',
};

/** What is in the brackets of an action, which no pattern can check, and why it is refused. */
interface Argument {
  readonly pattern: string;
  readonly message: string;
}

function argumentOf(name: string, message = ''): Argument {
  return { pattern: goPattern(String.raw`^\s*${name}\(\s*(.*?)\s*\)\s*$`), message };
}

const FOR_NOBODY = { name: 'a', scopes: ['b'], properties: ['a'], action: 'MASK' };
const AT_ODDS = {
  attrName: 'a',
  object: 'a',
  scopes: [{ clientId: 'a', clientSecret: 'a' }],
  mappers: { unused: {} },
};

/** What is of the form of an action, and too long or too large. */
function limits(): readonly Argument[] {
  return ACTIONS.flatMap(({ names: [name = ''], beyond }) =>
    beyond === undefined
      ? []
      : [{ pattern: goPattern(String.raw`^\s*(?:${beyond})\s*$`), message: problemOf(`${name}((`) }],
  );
}

/** What does not hold between the parts of a policy file. */
function messageAt(key: string): string {
  try {
    parsePolicyText(JSON.stringify({ ...AT_ODDS, policies: [FOR_NOBODY, FOR_NOBODY] }), 'policies.yaml');
  } catch (error) {
    const problem = error instanceof ConfigurationError && error.problems.find((one) => one.key === key);
    if (problem) return problem.message.replace(/; the nearest one.*$/u, '');
  }
  throw new Error(`The embedded PDP takes ${key}`);
}

const NO_KEYS = new Map<string, MaskKey>();

/**
 * `files/policy-actions.json` of a chart with policies: the forms of actions, by which its templates refuse what the embedded
 * PDP would refuse, in the same words; the forms of those whose argument has to be looked at; and what has to hold between
 * policies.
 */
export function policyActions(): string {
  const forms = ['filter', ...ACTIONS.map(({ pattern }) => pattern)].join('|');
  const names = ['filter', ...ACTIONS.flatMap((action) => action.names)];
  return JSON.stringify({
    pattern: goNames(String.raw`^\s*(?:${forms})\s*$`),
    blank: goPattern(String.raw`^\s*$`),
    filter: goPattern(String.raw`^\s*filter\s*$`),
    openings: [COLONS, PRIORITY, ...names.map(openingOf)],
    limits: limits(),
    json: argumentOf('value', problemOf('value({)')),
    key: argumentOf('hash', problemWithAction('hash(a)', NO_KEYS)),
    message: problemOf('?'),
    references: {
      repeated: messageAt('policies[1].name'),
      unknownScope: messageAt('policies[0].scopes[0]'),
      sameNames: messageAt('object'),
      unusedAssetType: messageAt('mappers.unused'),
      names: lodash.pick(DEFAULT_NAMES, ['attrName', 'object', 'assetType']),
    },
  });
}
