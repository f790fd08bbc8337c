import { dashed } from '../../dashed.ts';

/**
 * Header fields that say who the user is, and that clients could set themselves.
 *
 * A field whose name differs from one of them only in `_` for `-` is untrusted too, even if a gateway is trusted with that one: the gateway
 * does not replace it, and applications behind CGI and WSGI cannot distinguish the two.
 */
export class UntrustedFields {
  /** Those that routes name and that no gateway is trusted with, in lower case. */
  readonly names: ReadonlySet<string>;
  readonly #trusted: ReadonlySet<string>;
  /** All that routes name, with `-` for `_`. */
  readonly #identity: ReadonlySet<string>;
  /** Whether one of them has this length, modulo 32: most fields of a message need no second look. */
  readonly #lengths = new Uint8Array(LENGTHS);

  /**
   * @param identity the names of fields that say who the user is, in lower case
   * @param trusted those that a gateway replaces in every request, in lower case
   */
  constructor(identity: readonly string[], trusted: ReadonlySet<string>) {
    this.names = new Set(identity.filter((name) => !trusted.has(name)));
    this.#trusted = trusted;
    this.#identity = new Set(identity.map(dashed));
    for (const { length } of this.#identity) this.#lengths[length % LENGTHS] = 1;
  }

  /** @param name in any letter case */
  has(name: string): boolean {
    if (this.#lengths[name.length % LENGTHS] !== 1) return false;
    const lower = name.toLowerCase();
    return this.#identity.has(dashed(lower)) && !this.#trusted.has(lower);
  }
}

const LENGTHS = 32;
