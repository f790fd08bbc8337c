import { performance } from 'node:perf_hooks';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { Agent } from 'undici';
import * as z from 'zod';
import { fetchJson } from './fetch-json.ts';
import { IdentityUnavailable } from './unavailable.ts';

/** After how long keys are fetched again, so that withdrawn ones stop counting. Milliseconds. */
const FRESH = 600_000;
/** How long keys count while they cannot be fetched again. Milliseconds. */
const USABLE = 3_600_000;
/** How long a fetch because of one token prevents the next: anyone can send tokens with unknown keys. Milliseconds. */
const COOLDOWN = 30_000;
/** The least time between two fetches if the first failed. Milliseconds. */
const RETRY_AFTER = 1000;
/** How long after a failed fetch nobody with known keys waits for the next: it may take as long to fail. Milliseconds. */
const IMPATIENCE = 30_000;

/** Far more keys than a provider has. Each token is compared with all of them. */
const MOST_KEYS = 1000;
/** Far more than a key has (RFC 7517 §4.3). For each token, they are compared with one another. */
const MOST_OPERATIONS = 20;

const discovery = z.object({ issuer: z.string(), jwks_uri: z.string() });
const keySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

/** How to find the keys of an identity provider. */
interface KeysAddress {
  readonly issuer: string;
  /** Undefined: by discovery (OpenID Connect Discovery 1.0 §4). */
  readonly jwksUri: string | undefined;
}

interface Fetched {
  /** Which fetch brought them, from 1 on. */
  readonly number: number;
  readonly keys: JWTVerifyGetKey;
  /** Milliseconds, as `performance.now()` has them: the time of day may be set back. */
  readonly at: number;
}

/** The keys that may have signed one token. */
interface TokenKeys {
  /**
   * Finds the key that the token names, and fetches keys again if there is none.
   *
   * @throws IdentityUnavailable if it cannot be known whether there is such a key
   */
  readonly jwks: JWTVerifyGetKey;
  /**
   * Fetches keys again, unless that happened since the token came or a moment ago.
   *
   * @returns whether there are keys that were not tried
   */
  readonly renew: () => Promise<boolean>;
}

/** The public keys of an identity provider, kept and fetched again. */
export class RemoteKeys {
  readonly #address: KeysAddress;
  // Explicit: NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment must not switch off that the provider is verified.
  readonly #agent = new Agent({ connections: 2, allowH2: false, connect: { rejectUnauthorized: true } });
  readonly #onStale: (reason: string) => void;
  #fetched: Fetched | undefined;
  /** How many fetches have begun. */
  #begun = 0;
  #failedAt = -Infinity;
  /** When keys were last fetched because those that were known did not fit. */
  #soughtAt = -Infinity;
  /** When a fetch because of a wrong signature failed last. */
  #gaveUpAt = -Infinity;
  #fetching: Promise<Fetched> | undefined;
  #renewing: Promise<Fetched> | undefined;

  /** @param onStale is called with the reason each time that keys could not be fetched again and go on counting */
  constructor(address: KeysAddress, onStale: (reason: string) => void) {
    this.#address = address;
    this.#onStale = onStale;
  }

  /** Finds the keys of one token. */
  forToken(): TokenKeys {
    const begun = this.#begun;
    let used = 0;
    const useOf = (fetched: Fetched): JWTVerifyGetKey => {
      used = fetched.number;
      return fetched.keys;
    };
    return {
      jwks: async (header, token) => {
        const current = await this.#current();
        try {
          return await useOf(current)(header, token);
        } catch (error) {
          // Keys that were fetched since the token came need not be fetched again.
          if (!(error instanceof errors.JWKSNoMatchingKey) || current.number > begun) throw error;
          const renewed = await this.#seek(begun);
          if (renewed === undefined) throw error;
          return useOf(renewed)(header, token);
        }
      },
      renew: async () => {
        const known = this.#fetched?.number ?? 0;
        if (known > used) return true;
        if (used > begun || performance.now() - this.#gaveUpAt < COOLDOWN) return false;
        return (await this.#seek(begun).catch(() => this.#giveUp())) !== undefined;
      },
    };
  }

  /** Tokens with wrong signatures must not keep asking a provider that is unavailable. */
  #giveUp(): undefined {
    this.#gaveUpAt = performance.now();
  }

  /**
   * Fetches keys because those that are known do not fit. A failed fetch does not count: the keys are unknown until one succeeds.
   *
   * @param begun how many fetches had begun when the token came: these may have missed its key
   */
  async #seek(begun: number): Promise<Fetched | undefined> {
    if (performance.now() - this.#soughtAt < COOLDOWN) return undefined;
    const first = await this.#fetch();
    const fetched = first.number > begun ? first : await this.#fetch();
    this.#soughtAt = fetched.at;
    return fetched;
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #current(): Promise<Fetched> {
    const fetched = this.#fetched;
    const age = performance.now() - (fetched?.at ?? -Infinity);
    if (fetched === undefined || age >= USABLE) return this.#fetch();
    const sinceFailure = performance.now() - this.#failedAt;
    if (age < FRESH || sinceFailure < RETRY_AFTER) return fetched;
    const renewed = this.#renew(fetched);
    return sinceFailure < IMPATIENCE ? fetched : renewed;
  }

  /** @returns the current keys if they cannot be fetched again */
  #renew(fetched: Fetched): Promise<Fetched> {
    return (this.#renewing ??= this.#fetch()
      .catch((error: unknown) => {
        this.#onStale(Error.isError(error) ? error.message : 'unknown');
        return fetched;
      })
      .finally(() => (this.#renewing = undefined)));
  }

  /** Those who want the keys at the same time share one fetch. */
  #fetch(): Promise<Fetched> {
    if (this.#fetching) return this.#fetching;
    if (performance.now() - this.#failedAt < RETRY_AFTER)
      return Promise.reject(new IdentityUnavailable('the keys could not be fetched a moment ago'));
    this.#fetching = this.#fetchNow()
      .catch((error: unknown) => {
        this.#failedAt = performance.now();
        throw error;
      })
      .finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  async #fetchNow(): Promise<Fetched> {
    const number = ++this.#begun;
    const url = await this.#keysUrl();
    const { success, data } = keySet.safeParse(await fetchJson(url, this.#agent));
    if (!success) throw new IdentityUnavailable(`${url.origin} does not answer with a key set`);
    if (data.keys.length > MOST_KEYS)
      throw new IdentityUnavailable(`${url.origin} answers with more than ${MOST_KEYS} keys`);
    const fetched = { number, keys: createLocalJWKSet(toKeySet(data)), at: performance.now() };
    this.#fetched = fetched;
    return fetched;
  }

  async #keysUrl(): Promise<URL> {
    const { issuer, jwksUri } = this.#address;
    if (jwksUri !== undefined) return new URL(jwksUri);
    const url = new URL(`${issuer.replace(/\/$/u, '')}/.well-known/openid-configuration`);
    const { success, data } = discovery.safeParse(await fetchJson(url, this.#agent));
    if (!success || data.issuer !== issuer)
      throw new IdentityUnavailable(`${url.origin} does not describe the issuer that is configured`);
    return safeUrl(data.jwks_uri, url);
  }
}

/**
 * The keys of a provider that is asked over TLS are fetched over TLS, too.
 *
 * @throws IdentityUnavailable
 */
export function safeUrl(text: string, from: URL): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && from.protocol === 'http:');
  if (url === undefined || !isSafe)
    throw new IdentityUnavailable(`${from.origin} names keys at an unsafe address`);
  return url;
}

/** Keys of types that are not understood are left out (RFC 7517 §5), and those for very many operations. */
function toKeySet({ keys }: z.output<typeof keySet>): JSONWebKeySet {
  const bounded = keys.filter(({ key_ops: of }) => !Array.isArray(of) || of.length <= MOST_OPERATIONS);
  return {
    keys: bounded.flatMap(({ kty, ...key }) => (typeof kty === 'string' ? [{ ...key, kty }] : [])),
  };
}
