import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';

const json = z.record(z.string(), z.unknown());
const sample = z.looseObject({
  config: json,
  policies: json,
  test: z.object({ request: json, expected: json }),
});

/** The values file that the README installs. */
export const SAMPLE = sample.parse(parse(readFileSync('values.sample.yaml', 'utf8')));

export const SAMPLE_REQUEST = SAMPLE.test.request;
