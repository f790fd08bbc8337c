import type { Action } from '../../src/core/actions/action.ts';
import { TOP } from '../../src/core/json/document.ts';
import { scan } from '../../src/core/json/scan.ts';

/** One value of each kind; long enough for partial masks to show a part. */
const SAMPLES = ['"1234567890"', '"a"', '""', '1234567890', 'true', 'null', '[1]', '{"a":1}'] as const;

/**
 * What an action does, as opposed to how it is made: what becomes of each sample, and what it creates.
 *
 * @param maskShort as configured, or as the decision says
 */
export function effectOf(action: Action, maskShort = false): unknown {
  const applier = action.compile({ maskString: '***', maskShort });
  const made = SAMPLES.map((json) => {
    const result = applier.apply(scan(Buffer.from(json), 9), TOP, json.length);
    return [json, 'text' in result ? `${result.effect}: ${result.text.toString()}` : result.effect];
  });
  return { made: Object.fromEntries(made), created: applier.created };
}
