import { NO_MASK_KEYS } from '../../src/core/actions/mask-keys.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import process from 'node:process';
import {
  enforce,
  GivenWarnings,
  Plans,
  type Decider,
  type EnforcementPorts,
} from '../../src/enforcement/index.ts';
import { ANY_ROOM } from '../../src/core/json/splicer.ts';
import { ServiceError } from '../../src/errors.ts';
import { readRequest } from '../../src/places/enforce-api/request.ts';
import type { Logger } from '../../src/telemetry/log/leveled.ts';
import { NO_TRACE } from '../../src/telemetry/traces/off.ts';
import type { HostileRequest } from './shape.ts';
import { TimedScheduler } from './timed-scheduler.ts';

/** How the service is configured. */
export const SETTINGS = {
  assetType: 'columns',
  attrName: 'column',
  object: 'table',
  filter: true,
  filterDefault: 'allow',
  maskString: '***',
  maskShort: false,
  maxDepth: 512,
  audit: false,
} as const;

/** The length of the longest answer, in bytes. */
export const MAX_ANSWER = 16 * 1024 * 1024;
const ROOM = { ...ANY_ROOM, limit: MAX_ANSWER };

/** What came of a request. */
export interface Outcome {
  /** The processor time that it took, in milliseconds. */
  readonly cpu: number;
  /** The length of the answer in bytes, or why there is none. */
  readonly answer: number | string;
}

interface OutcomeInPieces extends Outcome {
  /** The longest time in which nothing else had its turn, in milliseconds. */
  readonly longest: number;
}

type Unscheduled = Omit<EnforcementPorts, 'scheduler'>;

/** Enforces a request in this process, with a PDP that answers at once; plans of other requests are not known. */
export class Enforcing {
  private readonly calls: { readonly body: Buffer; readonly ports: Unscheduled }[];

  constructor(request: HostileRequest) {
    const answer = Buffer.from(JSON.stringify(request.decision));
    const pdp: Decider = {
      decide: ({ settings, keys }) => Promise.resolve(decisionFrom(answer, settings, keys)),
    };
    const ports = {
      pdp,
      settings: SETTINGS,
      plans: new Plans(),
      warnings: new GivenWarnings(),
      keys: NO_MASK_KEYS,
    };
    const payloads = request.before === undefined ? [request.payload] : [request.before, request.payload];
    this.calls = payloads.map((payload) => ({ body: bodyOf(payload, request.parameters), ports }));
  }

  async run(): Promise<OutcomeInPieces> {
    let outcome: OutcomeInPieces = { cpu: 0, longest: 0, answer: 0 };
    const plans = new Plans();
    // oxlint-disable-next-line no-await-in-loop -- one after the other is what is asked for
    for (const { body, ports } of this.calls) outcome = await timed(body, { ...ports, plans });
    return outcome;
  }
}

async function timed(body: Buffer, ports: Unscheduled): Promise<OutcomeInPieces> {
  const scheduler = new TimedScheduler();
  const before = process.cpuUsage();
  const answer = await answerTo(body, { ...ports, scheduler });
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1000, longest: scheduler.longest, answer };
}

async function answerTo(body: Buffer, ports: EnforcementPorts): Promise<Outcome['answer']> {
  const { signal } = new AbortController();
  try {
    const { intent, payload } = readRequest(body, ports.settings.maxDepth);
    const request = { signal, log: SILENT, trace: NO_TRACE, room: ROOM };
    const enforced = await enforce(payload, { ...intent, headers: [] }, { ...ports, ...request });
    return enforced.payload.reduce((length, chunk) => length + chunk.length, 0);
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

/** The body of a request to `/enforce`. */
export function bodyOf(payload: string, parameters: object = {}): Buffer {
  return Buffer.from(`{"parameters":${JSON.stringify(parameters)},"vendor":{},"json":${payload}}`);
}

const SILENT: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  child: () => SILENT,
  isLevelEnabled: () => false,
};
