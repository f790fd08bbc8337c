const BEARER = /^[ \t]*bearer +([\w.~+/-]+=*)[ \t]*$/iu;

/** What the `Authorization` header fields hold: a bearer token, nothing, several fields, or something else. */
export type Authorization = { readonly token: string } | 'absent' | 'several' | 'unreadable';

/** Reads the `Authorization` header (RFC 6750 §2.1). */
export function authorizationIn(headers: readonly (readonly [name: string, value: string])[]): Authorization {
  const [field, ...others] = headers.filter(([name]) => name.toLowerCase() === 'authorization');
  if (field === undefined) return 'absent';
  if (others.length > 0) return 'several';
  const token = BEARER.exec(field[1])?.[1];
  return token === undefined ? 'unreadable' : { token };
}
