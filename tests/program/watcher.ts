import { readFile } from 'node:fs/promises';

/** Notes each part of the program that a process loads, and whether V8 takes what was compiled of it ahead. */
export const WATCHER = `
const fs = require('node:fs');
const vm = require('node:vm');
const { Script } = vm;
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    const isTaken = this.cachedDataRejected === false;
    fs.appendFileSync(process.env.NOTES, JSON.stringify({ part: options.filename, isTaken }) + '\\n');
  }
};
`;

/** What {@link WATCHER} noted. */
export async function notesIn(
  file: string,
): Promise<readonly { readonly part: string; readonly isTaken: boolean }[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}
