import type { Action, MaskSettings } from '../../../src/core/actions/action.ts';
import type { MaskResult } from '../../../src/core/actions/mask-result.ts';
import { NO_MASK_KEYS, type MaskKeys } from '../../../src/core/actions/mask-keys.ts';
import { parseAction } from '../../../src/core/actions/registry.ts';
import { TOP } from '../../../src/core/json/document.ts';
import { scan } from '../../../src/core/json/scan.ts';

interface Options extends Partial<MaskSettings> {
  readonly keys?: MaskKeys;
}

/** The action of a text. */
function actionOf(text: string, keys = NO_MASK_KEYS): Action {
  const action = parseAction(text, keys);
  if (action && 'compile' in action) return action;
  throw new Error(`${text} is no action`);
}

/** What an action does to a JSON value. */
export function resultOf(
  action: string,
  json: string,
  { maskString = '***', maskShort = false, keys = NO_MASK_KEYS }: Options = {},
): MaskResult {
  const applier = actionOf(action, keys).compile({ maskString, maskShort });
  return applier.apply(scan(Buffer.from(json), 99), TOP, Buffer.byteLength(json));
}

/** What an action makes of a JSON value, as JSON; `removed` if it removes it. */
export function masked(action: string, json: string, options: Options = {}): string {
  const result = resultOf(action, json, options);
  if (result.effect === 'unchanged') return json;
  return result.effect === 'removed' ? 'removed' : result.text.toString();
}
