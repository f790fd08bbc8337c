import { lstat, open, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { whyUnwritable } from '../files/index.ts';
import { CommandFailure } from '../places/command-line/index.ts';
import { escapeUnprintable } from '../telemetry/log/index.ts';

const BEGINNING = Buffer.from('<?xml');

/**
 * Removes the report of the run before, so that it is not taken for that of this one. One that a link leads to is emptied.
 *
 * @throws CommandFailure if the file is no report: it is one that somebody wrote
 */
export async function removeReport(file: string): Promise<void> {
  try {
    if (!(await isRegular(file))) return;
    if (!(await isReport(file)))
      throw new CommandFailure(`${escapeUnprintable(file)} is not a report, and is not overwritten.`);
    // A link stays as it is: /dev/stdout is one, and leads to a file if standard output does.
    if ((await lstat(file)).isSymbolicLink()) await truncate(file);
    else await rm(file);
  } catch (error) {
    throw error instanceof CommandFailure ? error : unwritable(file, error);
  }
}

/** @throws CommandFailure if it cannot be written */
export async function writeReport(file: string, xml: string): Promise<void> {
  await writeFile(file, xml).catch((error: unknown) => {
    throw unwritable(file, error);
  });
}

function unwritable(file: string, error: unknown): CommandFailure {
  return new CommandFailure(`${escapeUnprintable(file)} cannot be written: ${whyUnwritable(error)}.`);
}

/** Standard output and devices are not. */
async function isRegular(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() === true;
}

async function isReport(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING.length), 0, BEGINNING.length, 0);
    return bytesRead === 0 || buffer.equals(BEGINNING);
  } finally {
    await handle.close();
  }
}
