import { LRUCache } from 'lru-cache';
import { intentFrom, type Intent } from '../../enforcement/index.ts';

type WrittenIntent = Pick<Intent, 'vendor' | 'parameters'>;

interface LatestIntent {
  readonly vendor: string;
  readonly parameters: string;
  readonly intent: WrittenIntent;
}

/** How many are kept: as many as there are users at a time, in most applications. */
const MAX_KNOWN = 256;
/** Longer texts are read each time, in characters. */
const MAX_LENGTH = 2048;

/** Reads intents from JSON texts, each once as long as it comes again. */
export class KnownIntents {
  readonly #maxDepth: number;
  readonly #known = new LRUCache<string, WrittenIntent>({ max: MAX_KNOWN });
  /** What was read last: to compare texts takes a tenth of looking them up. */
  #latest: LatestIntent | undefined;

  /** @param maxDepth how deep each text may nest */
  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  /** @throws ServiceError `request-invalid` with every problem at once */
  read(vendor: string, parameters: string): WrittenIntent {
    const latest = this.#latest;
    if (latest?.vendor === vendor && latest.parameters === parameters) return latest.intent;
    const intent = this.#find(vendor, parameters);
    const isShort = vendor.length + parameters.length <= MAX_LENGTH;
    this.#latest = isShort ? { vendor, parameters, intent } : undefined;
    return intent;
  }

  #find(vendor: string, parameters: string): WrittenIntent {
    const key = `${parameters.length} ${parameters}${vendor}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const intent = intentFrom({ vendor, parameters }, this.#maxDepth);
    if (key.length <= MAX_LENGTH) this.#known.set(key, intent);
    return intent;
  }
}
