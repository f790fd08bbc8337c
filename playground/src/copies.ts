import { questionOf } from './request.ts';
import type { User, Work } from './work.ts';

/** Where `make run` serves. */
const SERVICE = 'http://127.0.0.1:5002/enforce';

/** What the service answered: the payload, or the code of an error. */
export type Outcome = { readonly payload: string } | { readonly error: string };

/** A command for a shell that asks a running service the same. */
export function curlOf(work: Work, user: User): string {
  const { parameters, vendor } = questionOf(work, user);
  const body = [
    '{',
    `  "parameters": ${JSON.stringify(parameters)},`,
    `  "vendor": ${JSON.stringify(vendor)},`,
    `  "json": ${work.payload.trim()}`,
    '}',
  ].join('\n');
  const token =
    user.claims.trim() === '' ? [] : [`-H ${quoted(`Authorization: Bearer ${unsignedToken(user.claims)}`)}`];
  return [`curl -sS ${SERVICE}`, `-H 'Content-Type: application/json'`, ...token, `-d ${quoted(body)}`].join(
    ' ',
  );
}

/** A test for `authz-jsonmasking test`, as an element of its list `tests`. */
export function testOf(work: Work, user: User, outcome: Outcome): string {
  const { parameters, vendor } = questionOf(work, user);
  const { entityTypeId, entityId, claims } = user;
  const { environment, clientId } = vendor;
  const entering = JSON.stringify({ clientId, environment });
  const as = [
    ...(entityTypeId === '' ? [] : [`entityTypeId: ${JSON.stringify(entityTypeId)}`]),
    ...(entityId === '' ? [] : [`entityId: ${JSON.stringify(entityId)}`]),
    ...(claims.trim() === '' ? [] : [`claims: ${inFlow(claims)}`]),
  ];
  const expected =
    'payload' in outcome
      ? `expect: ${inFlow(outcome.payload)}`
      : `expectError: ${JSON.stringify(outcome.error)}`;
  return [
    ...notesOn(work.settings),
    'tests:',
    `  - name: ${JSON.stringify(nameOf(user))}`,
    `    as: { ${as.join(', ')} }`,
    ...(entering === '{}' ? [] : [`    vendor: ${entering}`]),
    `    parameters: ${JSON.stringify(parameters)}`,
    `    json: ${inFlow(work.payload)}`,
    `    ${expected}`,
    '',
  ].join('\n');
}

/** What the test cannot say: it is a setting of the service, and tests have the default. */
function notesOn({ filterDefault }: Work['settings']): readonly string[] {
  return filterDefault === ''
    ? []
    : [`# The result is that of a service with filterDefault: ${filterDefault}. Tests use the default.`];
}

function nameOf({ entityTypeId, entityId }: User): string {
  const who = [entityTypeId, entityId].filter((name) => name !== '').join(' ');
  return `what ${who === '' ? 'an unknown user' : who} sees`;
}

/** JSON in a member of a test: YAML wants its lines indented with spaces. */
function inFlow(json: string): string {
  return json
    .trim()
    .split('\n')
    .map((line, i) => {
      const content = line.trimStart();
      const indentation = line.slice(0, line.length - content.length).replaceAll('\t', '  ');
      return i === 0 ? line : `      ${indentation}${content}`;
    })
    .join('\n');
}

/** In single quotes, as every shell of POSIX reads it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Claims as a token that nobody signed. Only a policy file with `trustUnverifiedClaims: true` believes it. */
function unsignedToken(claims: string): string {
  return `${base64url('{"alg":"none"}')}.${base64url(claims.trim())}.`;
}

function base64url(text: string): string {
  const letters = Array.from(new TextEncoder().encode(text), (byte) => String.fromCodePoint(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
