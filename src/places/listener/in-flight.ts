import { RETRY_SOON, ServiceError } from '../../errors.ts';

/** The limits of all enforce requests in progress together. */
export interface Room {
  readonly requests: number;
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
  /** Frees the slot and its room, once. */
  leave(): void;
}

/** Counts the enforce requests in progress and the bytes of their bodies, and bounds both. */
export class InFlight {
  readonly limits: Room;
  #requests = 0;
  #bytes = 0;

  constructor(limits: Room) {
    this.limits = limits;
  }

  get requests(): number {
    return this.#requests;
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
    let hasLeft = false;
    return {
      hold: (wanted) => {
        if (hasLeft || wanted <= held) return;
        this.#claim(held, wanted);
        held = wanted;
      },
      leave: () => {
        if (hasLeft) return;
        hasLeft = true;
        this.#requests--;
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
