import * as z from 'zod/mini';
import { readExplanation, type Explanation } from './explanation.ts';
import { jsonTree, memberText, type JsonNode } from './json-tree.ts';

/** What of the work a problem is in. */
const PARTS = ['payload', 'policies', 'user', 'settings'] as const;
export type Part = (typeof PARTS)[number];

const problem = z.object({
  part: z.enum(PARTS),
  message: z.string(),
  /** Counted from 1. */
  line: z.optional(z.number()),
  /** Of the part, if that is JSON. */
  pointer: z.optional(z.string()),
  /** The code of the service's error, if the service answers one. */
  code: z.optional(z.string()),
});
export type Problem = z.infer<typeof problem>;

const answerSchema = z.object({
  problems: z.optional(z.array(problem)),
  explanation: z.optional(z.unknown()),
});

/** What the server makes of the work. */
export type Answer =
  | { readonly problems: readonly Problem[] }
  | { readonly explanation: Explanation; /** Exactly as the service answers it. */ readonly payload: string };

/**
 * Reads what the server answers.
 *
 * @param policies what was sent, to find the lines of problems in it
 * @throws Error if it is no answer of the server
 */
export function readAnswer(text: string, policies: string): Answer {
  const { problems, explanation } = answerSchema.parse(JSON.parse(text));
  if (problems !== undefined) return { problems: problems.map((one) => withLine(one, policies)) };
  return {
    explanation: readExplanation(explanation),
    payload: memberText(text, 'explanation', 'payload') ?? '',
  };
}

function withLine(found: Problem, policies: string): Problem {
  if (found.pointer === undefined || found.part !== 'policies' || found.line !== undefined) return found;
  const at = offsetOf(jsonTree(policies), found.pointer);
  return { ...found, line: policies.slice(0, at).split('\n').length };
}

/** Where the value at a pointer is, or the nearest thing around it. */
function offsetOf(tree: JsonNode, pointer: string): number {
  let at = tree.from;
  let node: JsonNode | undefined = tree;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const child: JsonNode['children'][number] | undefined = node?.children.findLast((one) => one.key === key);
    at = child?.start ?? at;
    node = child?.value;
  }
  return at;
}
