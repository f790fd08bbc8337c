import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import * as z from 'zod';

const SAMPLE = path.resolve(import.meta.dirname, '../../examples/config.yaml');

const sampleSchema = z.looseObject({ policyFile: z.string() });

/** What of the sample configuration is chosen anew. */
export interface Choice {
  /** 0 for any that is free. */
  readonly port: number;
  readonly logFormat: 'json' | 'text';
}

/** Writes the sample configuration into a folder, with a port and log format of its own, and returns where it stands. */
export async function writeConfiguration(folder: string, { port, logFormat }: Choice): Promise<string> {
  const sample = sampleSchema.parse(parse(await readFile(SAMPLE, 'utf8')));
  const policyFile = path.resolve(path.dirname(SAMPLE), sample.policyFile);
  const file = path.join(folder, 'config.yaml');
  await writeFile(
    file,
    stringify({ ...sample, port, policyFile, log: { level: 'info', format: logFormat } }),
  );
  return file;
}
