import { readWork, type Work } from './work.ts';

/** The longest link that is made, in characters: browsers copy and open longer ones badly. */
const MAX_LENGTH = 100_000;
/** The most that a link may unpack to, in bytes: a link can come from anyone. */
const MAX_UNPACKED = 4 * 1024 * 1024;
/** How many bytes are letters at once: more arguments than a call takes would fail. */
const CHUNK = 8192;
const PREFIX = '#w=';

/** What is not to be passed on in a link. */
const SECRET = /\bclientSecret\b["']?\s*:/u;

/** Why a link cannot be made; undefined if it can. */
export function obstacleToLink({ policies }: Work): string | undefined {
  return SECRET.test(policies)
    ? 'The policies contain a clientSecret, so a link would pass it on.'
    : undefined;
}

/**
 * The fragment of a link to the work: it stays in the browser, which never sends fragments.
 *
 * @returns undefined if the link would be too long
 */
export async function fragmentOf(work: Work): Promise<string | undefined> {
  const packed = await through(
    new TextEncoder().encode(JSON.stringify(work)),
    new CompressionStream('deflate-raw'),
  );
  const fragment = PREFIX + base64urlOf(packed);
  return fragment.length > MAX_LENGTH ? undefined : fragment;
}

/** @returns undefined if it is no fragment of a link to work, and `damaged` if it is one that cannot be read */
export async function workFrom(fragment: string): Promise<Work | 'damaged' | undefined> {
  if (!fragment.startsWith(PREFIX)) return undefined;
  try {
    const packed = bytesFrom(fragment.slice(PREFIX.length));
    const unpacked = await through(packed, new DecompressionStream('deflate-raw'));
    return readWork(JSON.parse(new TextDecoder().decode(unpacked))) ?? 'damaged';
  } catch {
    return 'damaged';
  }
}

/** What is said of a link that cannot be read. */
export const DAMAGED =
  'The link is damaged: what it was made of cannot be opened. Copy it again, as a whole.';

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    // Each chunk follows the one before.
    // oxlint-disable-next-line no-await-in-loop
    const { done, value } = await reader.read();
    if (done) return joined(chunks, length);
    length += value.length;
    if (length > MAX_UNPACKED) throw new RangeError('The link unpacks to too much.');
    chunks.push(value);
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function base64urlOf(bytes: Uint8Array): string {
  let letters = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    letters += String.fromCodePoint(...bytes.subarray(at, at + CHUNK));
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function bytesFrom(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    atob(text.replaceAll('-', '+').replaceAll('_', '/')),
    (letter) => letter.codePointAt(0) ?? 0,
  );
}
