import { NO_MASK_KEYS } from '../../src/core/actions/mask-keys.ts';
import { ANY_ROOM } from '../../src/core/json/splicer.ts';
import {
  enforce,
  EventLoopScheduler,
  GivenWarnings,
  intentFrom,
  Plans,
  type Decider,
  type Ports,
} from '../../src/enforcement/index.ts';
import { NO_TRACE } from '../../src/telemetry/traces/off.ts';

export const SETTINGS = {
  assetType: 'columns',
  attrName: 'column',
  object: undefined,
  protectedObject: undefined,
  maskString: '***',
  maskShort: false,
  filter: false,
  filterDefault: 'deny',
  maxDepth: 4,
  audit: false,
} as const;

/** What an enforcement needs, around a PDP. */
export function portsOn(pdp: Decider): Ports {
  return {
    pdp,
    settings: SETTINGS,
    keys: NO_MASK_KEYS,
    scheduler: new EventLoopScheduler(),
    plans: new Plans(),
    warnings: new GivenWarnings(),
    log: { warn: () => undefined, info: () => undefined },
    trace: NO_TRACE,
    signal: new AbortController().signal,
    room: ANY_ROOM,
  };
}

/** What is left of a payload. @param parameters those of the request, as JSON */
export async function enforcedText(payload: string, ports: Ports, parameters?: string): Promise<string> {
  const intent = { ...intentFrom({ vendor: '{}', parameters }, SETTINGS.maxDepth), headers: [] };
  const enforced = await enforce(Buffer.from(payload), intent, ports);
  return Buffer.concat([...enforced.payload]).toString();
}
