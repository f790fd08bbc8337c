import { closeSync, openSync, readSync } from 'node:fs';
import process from 'node:process';

const MAX = 2 ** 31 - 1;
const BYTES = 4;

/**
 * From 1 to 2³¹ − 1, another one in each process. Hashes begin with it, so that nobody can choose values of which many have the
 * same hash.
 */
export const SEED = 1 + ((fromSystem() ?? fromNode()) % MAX);

/** To load `node:crypto` for four bytes takes longer than many a command runs. */
function fromSystem(): number | undefined {
  try {
    const file = openSync('/dev/urandom', 'r');
    const bytes = Buffer.alloc(BYTES);
    const length = readSync(file, bytes);
    closeSync(file);
    return length === BYTES ? bytes.readUInt32LE() : undefined;
  } catch {
    // Not every system has this file.
    return undefined;
  }
}

function fromNode(): number {
  return process.getBuiltinModule('node:crypto').randomInt(MAX);
}
