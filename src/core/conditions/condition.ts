import type { AttributePath } from '../paths/parse.ts';
import type { Path } from '../paths/path.ts';
import type { Comparison } from './comparison.ts';

/** What a condition's leaf looks at (docs/enforcement.md#conditions). */
export type ComparedPart =
  /** The path of the property that the rule is about to change. */
  | 'property'
  /** The prefix of that path. */
  | 'prefix'
  /** The record, at a path of its own. */
  | 'record';

/** A leaf of a condition tree as the decision has it. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly subject: ComparedPart;
  readonly comparison: Comparison;
  /** For a leaf on the record: where to read. */
  readonly attribute: AttributePath;
  /** For a leaf on the property or its prefix: the values as paths, if they are compared as a whole. */
  readonly paths: readonly Path[];
  /** The attribute and the operator as the decision writes them. Explanations show them. */
  readonly written: { readonly attribute: string; readonly operator: string };
  /** The values as they came. */
  readonly values: readonly string[];
  /** The same for leaves that ask the same: they are then asked once. */
  readonly key: string;
}

/** A condition tree: all of its parts hold, or any does. */
export type Condition =
  | { readonly kind: 'all'; readonly of: readonly Condition[] }
  | {
      readonly kind: 'any';
      readonly of: readonly Condition[];
      /** If all parts are about certain properties alone: these. Nobody then has to look at the parts. */
      readonly names?: readonly Path[];
    }
  | Leaf;

/** Holds always: an empty AND. */
export const ALWAYS: Condition = { kind: 'all', of: [] };
/** Never holds: an empty OR. */
export const NEVER: Condition = { kind: 'any', of: [] };

export function anyOf(parts: readonly Condition[]): Condition {
  let isFree = true;
  for (const part of parts) {
    if (isAlways(part)) return ALWAYS;
    isFree &&= !isNever(part);
  }
  return grouped('any', isFree ? parts : parts.filter((part) => !isNever(part)));
}

export function allOf(parts: readonly Condition[]): Condition {
  let isFree = true;
  for (const part of parts) {
    if (isNever(part)) return NEVER;
    isFree &&= !isAlways(part);
  }
  return grouped('all', isFree ? parts : parts.filter((part) => !isAlways(part)));
}

function grouped(kind: 'all' | 'any', parts: readonly Condition[]): Condition {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  return { kind, of: parts };
}

export function isAlways(condition: Condition): boolean {
  return condition.kind === 'all' && condition.of.length === 0;
}

export function isNever(condition: Condition): boolean {
  return condition.kind === 'any' && condition.of.length === 0;
}
