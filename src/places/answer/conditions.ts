import { HiddenFields } from '../listener/index.ts';

/** Those of RFC 9110, and those that the IANA registry of methods has as safe besides. */
const SAFE_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'OPTIONS',
  'PROPFIND',
  'QUERY',
  'REPORT',
  'SEARCH',
  'TRACE',
]);
const ABOUT_A_PART = ['a-im', 'if-range', 'range'];
const ABOUT_ANOTHER_REPRESENTATION = [
  'if',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
];
const OF_READING = new HiddenFields([...ABOUT_A_PART, ...ABOUT_ANOTHER_REPRESENTATION]);
const OF_CHANGING = new HiddenFields(ABOUT_A_PART);
const ENCODING = 'accept-encoding';
const READABLE_OF_READING = new HiddenFields([ENCODING, ...OF_READING.names]);
const READABLE_OF_CHANGING = new HiddenFields([ENCODING, ...OF_CHANGING.names]);

/**
 * What the application must not see of a request whose answer is enforced: the answer must be all of the resource, as it is for
 * this user (docs/proxy.md).
 *
 * @param methods that the application may take the request for
 */
export function conditionsOf(methods: readonly string[]): HiddenFields {
  return mayRead(methods) ? OF_READING : OF_CHANGING;
}

/** The same, and what asks for an encoding: the answer has to be read on its way. */
export function hiddenFields(methods: readonly string[]): HiddenFields {
  return mayRead(methods) ? READABLE_OF_READING : READABLE_OF_CHANGING;
}

function mayRead(methods: readonly string[]): boolean {
  return methods.some((method) => SAFE_METHODS.has(method));
}
