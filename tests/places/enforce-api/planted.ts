/** Values that must not come up in any error or log line, wherever they were in a request or a decision. */
const PLANTED = {
  clientSecret: 'planted-client-secret',
  token: 'planted.bearer.token',
  cookie: 'planted-cookie',
  value: 'planted-payload-value',
  number: '860860860860',
} as const;

export const PLANTED_HEADERS = {
  authorization: `Bearer ${PLANTED.token}`,
  cookie: `session=${PLANTED.cookie}`,
} as const;

/** A payload full of such values, in records with an identifier. */
export const PLANTED_PAYLOAD = `[{"id":"${PLANTED.value}","ssn":"${PLANTED.value}","n":${PLANTED.number},"deep":{"er":["${PLANTED.value}"]}}]`;

export const PLANTED_VENDOR = {
  clientId: 'scope-1',
  clientSecret: PLANTED.clientSecret,
  entityId: 'jane',
} as const;

/** A text that quotes all of them, as a PDP might. */
export const PLANTED_TEXT = Object.values(PLANTED).join(' ');

/** Those that a text gives away, in whatever letters. */
export function leaksIn(text: string): readonly string[] {
  const folded = text.toLowerCase();
  return Object.values(PLANTED).filter((secret) => folded.includes(secret));
}
