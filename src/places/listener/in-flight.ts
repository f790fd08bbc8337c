import { RETRY_SOON, ServiceError } from '../../errors.ts';

/** The limits of all enforce requests in progress together. */
export interface Room {
  readonly requests: number;
  /** Those whose answer is a stream of records, which may stay open for hours: they are not among the `requests`. */
  readonly streams: number;
  /** Bytes of their bodies. */
  readonly bytes: number;
}

/** One request among those in progress, and the room that it reserves. */
export interface AdmissionSlot {
  /**
   * Reserves room for a body or an answer, if less than that is reserved so far. Does nothing after `leave`: a request
   * that was given up may have a step left.
   *
   * @param bytes the total for this request
   * @throws ServiceError `overloaded` if that is above the limit
   */
  hold(bytes: number): void;
  /**
   * Counts it among the streams from now on. Does nothing the second time, or after `leave`.
   *
   * @throws ServiceError `overloaded` if there are as many as may be
   */
  becomeStream(): void;
  /** Frees the slot and its room, once. */
  leave(): void;
}

/** Counts the enforce requests in progress, the streams among them and the bytes of their bodies, and bounds each. */
export class InFlight {
  readonly limits: Room;
  #requests = 0;
  #streams = 0;
  #bytes = 0;

  constructor(limits: Room) {
    this.limits = limits;
  }

  get requests(): number {
    return this.#requests;
  }

  get streams(): number {
    return this.#streams;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Admits a request.
   *
   * @param bytes the length of its body, as far as it is known
   * @throws ServiceError `overloaded` if a limit is reached
   */
  enter(bytes = 0): AdmissionSlot {
    if (this.#requests >= this.limits.requests) throw overloaded('requests', 'maxInFlight');
    this.#claim(0, bytes);
    this.#requests++;
    let held = bytes;
    let isStream = false;
    let hasLeft = false;
    return {
      hold: (wanted) => {
        if (hasLeft || wanted <= held) return;
        this.#claim(held, wanted);
        held = wanted;
      },
      becomeStream: () => {
        if (hasLeft || isStream) return;
        if (this.#streams >= this.limits.streams) throw overloaded('streams', 'maxStreams');
        isStream = true;
        this.#streams++;
        this.#requests--;
      },
      leave: () => {
        if (hasLeft) return;
        hasLeft = true;
        if (isStream) this.#streams--;
        else this.#requests--;
        this.#bytes -= held;
      },
    };
  }

  /** A request that has the room for itself gets what it wants: `maxBody` bounds that. */
  #claim(held: number, wanted: number): void {
    const others = this.#bytes - held;
    if (others > 0 && others + wanted > this.limits.bytes) throw overloaded('bytes', 'maxInFlightBody');
    this.#bytes = others + wanted;
  }
}

function overloaded(what: string, key: string): ServiceError {
  return new ServiceError('overloaded', `The service has too many ${what} in progress (${key}).`, {
    headers: RETRY_SOON,
  });
}
