import * as z from 'zod';
import { PathSyntaxError, parseAttributePath, parsePath } from '../core/index.ts';
import { CALCULATION_TYPES, MAX_MASK_STRING } from './parameters.ts';

/** A text that can be parsed as a path. */
function pathBy(parse: (text: string) => unknown) {
  return z.string().superRefine((text, context) => {
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof PathSyntaxError)) throw error;
      context.addIssue(`is not a path: ${error.message}`);
    }
  });
}

/**
 * The members of `parameters` as a caller or a route writes them. Requests are read without it (`parameters.ts`): to load it takes
 * longer than a command runs.
 */
export const parametersSchema = z.object({
  root: pathBy(parsePath).optional(),
  assetType: z.string().min(1).optional(),
  calculationType: z.enum(CALCULATION_TYPES).optional(),
  maskString: z.string().max(MAX_MASK_STRING).optional(),
  filter: z.boolean().optional(),
  FILTER: z.boolean().optional(),
  assetId: pathBy(parseAttributePath).optional(),
  protectedObject: z.string().min(1).optional(),
});
