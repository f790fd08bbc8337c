import { LRUCache } from 'lru-cache';
import { intentFrom, type Intent } from '../../enforcement/index.ts';

type WrittenIntent = Pick<Intent, 'vendor' | 'parameters'>;

/** How many are kept: as many as there are users at a time, in most applications. */
const MAX_KNOWN = 256;
/** Longer texts are read each time, in characters. */
const MAX_LENGTH = 2048;

/** Reads intents from JSON texts, each once as long as it comes again. */
export class KnownIntents {
  readonly #maxDepth: number;
  readonly #known = new LRUCache<string, WrittenIntent>({ max: MAX_KNOWN });

  /** @param maxDepth how deep each text may nest */
  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  /** @throws ServiceError `request-invalid` with every problem at once */
  read(vendor: string, parameters: string): WrittenIntent {
    const key = `${parameters.length} ${parameters}${vendor}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const intent = intentFrom({ vendor, parameters }, this.#maxDepth);
    if (key.length <= MAX_LENGTH) this.#known.set(key, intent);
    return intent;
  }
}
