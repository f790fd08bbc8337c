import { TOO_LARGE } from './read-bounded.ts';

type Reasons = Readonly<Record<string, string>>;

const READING: Reasons = {
  ENOENT: 'it does not exist',
  EACCES: 'it may not be read by this user',
  EISDIR: 'it is a folder',
  EFBIG: TOO_LARGE,
  ELOOP: 'its symbolic links lead in a circle',
  ENXIO: 'it is not a regular file',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
};

const WRITING: Reasons = {
  ENOENT: 'its folder does not exist',
  ENXIO: 'nobody reads the pipe',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'this user may not write it',
  EISDIR: 'it is a folder',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
};

/** Why a file cannot be read, in words. */
export function whyUnreadable(error: unknown): string {
  return inWords(error, READING);
}

/** Why a file cannot be written, in words. */
export function whyUnwritable(error: unknown): string {
  return inWords(error, WRITING);
}

function inWords(error: unknown, reasons: Reasons): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? (reasons[code] ?? code) : 'the reason is unknown';
}
