/**
 * Header fields that say who the user is, and that clients could set themselves.
 *
 * To applications behind CGI and WSGI, `_` and `-` in a name are the same: a field is untrusted as well if it is that of a gateway but for
 * this, since the gateway does not replace it.
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

function dashed(name: string): string {
  return name.replaceAll('_', '-');
}
