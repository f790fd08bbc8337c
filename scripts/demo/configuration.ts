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

/** A configuration in the place of the sample. */
export interface Whole {
  readonly configuration: unknown;
}

/** Writes a configuration into a folder: a whole one, or the sample with what is chosen. @returns its path */
export async function writeConfiguration(folder: string, chosen: Choice | Whole): Promise<string> {
  const file = path.join(folder, 'config.yaml');
  await writeFile(
    file,
    stringify('configuration' in chosen ? chosen.configuration : await sampleWith(chosen)),
  );
  return file;
}

async function sampleWith({ port, logFormat }: Choice): Promise<unknown> {
  const sample = sampleSchema.parse(parse(await readFile(SAMPLE, 'utf8')));
  const policyFile = path.resolve(path.dirname(SAMPLE), sample.policyFile);
  return { ...sample, port, policyFile, log: { level: 'info', format: logFormat } };
}
