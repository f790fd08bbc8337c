import * as z from 'zod';
import { bufferOf } from '../../../core/json/bytes.ts';
import { TOP } from '../../../core/json/located.ts';
import { scan } from '../../../core/json/scan.ts';
import { JsonDepthError, JsonSyntaxError } from '../../../core/json/syntax-error.ts';
import { valueAt } from '../../../core/json/value.ts';
import type { Question as EnforcementQuestion } from '../../../enforcement/question.ts';
import { PdpRefusal } from './refusal.ts';

const text = z.string().min(1);

/** What of a PDP request counts here (enforcement §4); everything else in it is ignored. */
export const questionSchema = z.object({
  clientId: text.optional(),
  /** The other spelling that specification 2.3 knows. */
  clientID: text.optional(),
  clientSecret: z.string().optional(),
  entityTypeId: text.optional(),
  entityId: text.optional(),
  environment: z.object({ resourceFullPath: z.array(text).optional() }).optional(),
  includeAssetAttributes: z.boolean().optional(),
  includeAccessPolicy: z.boolean().optional(),
  resourceTypes: z.array(z.object({ name: text })).optional(),
  assetList: z.array(z.object({ template: text, path: text })).optional(),
});

/** The body of a question to the PDP. */
export type Question = z.infer<typeof questionSchema>;

/** Whether an asset type is wanted: all are, where the question names none. */
export function asksFor({ resourceTypes }: Question, assetType: string): boolean {
  return resourceTypes === undefined || resourceTypes.some(({ name }) => name === assetType);
}

/** As deep as a request's parts may nest at most (`maxDepth`), and the body around them. */
const MAX_DEPTH = 1025;

/**
 * Reads the body of a question: JSON in UTF-8.
 *
 * @throws PdpRefusal 400 that names the first member that is wrong; it quotes no values
 */
export function readQuestion(body: Uint8Array): Question {
  return checked(parseBody(body));
}

/**
 * The question of enforcement, with what it always needs: names of properties, policies and its own asset types.
 *
 * @throws PdpRefusal 400 that names the first member that is wrong; it quotes no values
 */
export function questionFrom({ doc, vendor, assets, settings }: EnforcementQuestion): Question {
  const asked = checked(valueAt(doc, vendor));
  const needed = assets === undefined ? [settings.assetType] : [settings.assetType, assets.type];
  const lacking = needed.filter((type) => asked.resourceTypes?.some(({ name }) => name === type) !== true);
  return {
    ...asked,
    includeAssetAttributes: true,
    includeAccessPolicy: true,
    resourceTypes: [...(asked.resourceTypes ?? []), ...lacking.map((name) => ({ name }))],
    ...(assets && { assetList: assets.ids.map((path) => ({ template: assets.type, path })) }),
  };
}

function checked(value: unknown): Question {
  const result = questionSchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new PdpRefusal(
    400,
    place === '' ? 'The body is not a JSON object.' : `\`${place}\` is not of the right type.`,
  );
}

/**
 * Not by `JSON.parse`: where a name holds a backslash, Node 26 may read a later name as that one (nodejs/node#63785), so
 * that one question could change how another is understood.
 */
export function parseBody(body: Uint8Array): unknown {
  try {
    return valueAt(scan(bufferOf(body), MAX_DEPTH), TOP);
  } catch (error) {
    if (error instanceof JsonDepthError) throw new PdpRefusal(400, 'The body nests too deeply.');
    if (error instanceof JsonSyntaxError) throw new PdpRefusal(400, 'The body is not valid JSON.');
    throw error;
  }
}
