/** Measures the core, and writes what it measured to a file: `node --expose-gc build/bench/core.cjs <file> [--quick]`. */
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { FULL, QUICK } from '../scale.ts';
import { measureCore } from './part.ts';

const [, , file = '', ...flags] = process.argv;
const { effort, largest } = flags.includes('--quick') ? QUICK : FULL;

void measureCore(effort, largest, (line) => process.stdout.write(`${line}\n`)).then((measured) =>
  writeFileSync(file, JSON.stringify(measured)),
);
