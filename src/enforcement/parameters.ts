import _ from 'lodash';
import * as z from 'zod';
import type { FieldProblem } from '../errors.ts';
import { parsePath } from '../core/paths/parse.ts';
import type { Path } from '../core/paths/path.ts';
import { PathSyntaxError } from '../core/paths/syntax-error.ts';
import { CALCULATION_TYPES, type CalculationType } from './question.ts';

const path = z.string().transform((text, context): Path => {
  try {
    return parsePath(text);
  } catch (error) {
    if (!(error instanceof PathSyntaxError)) throw error;
    context.issues.push({
      code: 'custom',
      message: `A path that cannot be parsed: ${error.message}`,
      input: text,
    });
    return z.NEVER;
  }
});

/** The members of `parameters` as a caller writes them (specification 2.2). */
export const parametersSchema = z.object({
  root: path.optional(),
  assetType: z.string().min(1).optional(),
  calculationType: z.enum(CALCULATION_TYPES).optional(),
  maskString: z.string().optional(),
  filter: z.boolean().optional(),
  FILTER: z.boolean().optional(),
  assetId: path.optional(),
  protectedObject: z.string().min(1).optional(),
});

/** The flags that guide how one request is evaluated (specification 2.2); undefined where the caller sent none. */
export interface Parameters {
  readonly root: Path | undefined;
  readonly assetType: string | undefined;
  readonly calculationType: CalculationType;
  readonly maskString: string | undefined;
  readonly filter: boolean | undefined;
  readonly assetId: Path | undefined;
  readonly protectedObject: string | undefined;
}

export type ParametersResult =
  | { readonly parameters: Parameters; readonly unknown: readonly string[] }
  | { readonly problems: readonly FieldProblem[] };

/**
 * Reads `parameters` (specification 2.2, enforcement §1).
 *
 * @returns the parameters with the names of unknown members, or every problem with them
 */
export function readParameters(value: object): ParametersResult {
  const { success, data, error } = parametersSchema.safeParse(value);
  const problems = [...(error?.issues ?? []).map(problemFrom), ...missingForContext(value)];
  if (!success || problems.length > 0) return { problems };
  return {
    unknown: _.difference(Object.keys(value), Object.keys(parametersSchema.shape)),
    parameters: {
      root: data.root,
      assetType: data.assetType,
      calculationType: data.calculationType ?? 'resolution',
      maskString: data.maskString,
      filter: data.filter ?? data.FILTER,
      assetId: data.assetId,
      protectedObject: data.protectedObject,
    },
  };
}

function missingForContext(value: object): FieldProblem[] {
  if (!('calculationType' in value) || value.calculationType !== 'context') return [];
  return ['assetId', 'protectedObject']
    .filter((name) => !(name in value))
    .map((name) => ({
      pointer: `/parameters/${name}`,
      detail: 'Required where calculationType is context.',
    }));
}

function problemFrom({ path: steps, message }: z.core.$ZodIssue): FieldProblem {
  return { pointer: `/parameters/${steps.join('/')}`, detail: `${message}.` };
}
