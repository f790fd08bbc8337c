/**
 * Shows the service with another PDP: `node scripts/example.ts opa` or `cerbos`, once it is built. Starts the PDP on the
 * policies of `examples/<name>`, the service on its configuration, and prints the payload of `request.json` before and
 * after. Both get free ports. Exits with 1 and one clear line if anything is wrong.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';
import * as z from 'zod';
import { DemoFailure, describeFailure } from './demo/failure.ts';
import { startService } from './demo/service.ts';
import { startRealPdp, type RealPdpName } from './tools/real-pdp.ts';

const request = z.looseObject({ json: z.unknown() });
const configuration = z.looseObject({ pdpUrl: z.string() });

function chosenName(): RealPdpName {
  const [, , name] = process.argv;
  if (name === 'opa' || name === 'cerbos') return name;
  throw new DemoFailure('Say which example: opa or cerbos.');
}

function show(title: string, json: unknown): void {
  process.stdout.write(`${title}\n${JSON.stringify(json, undefined, 2)}\n\n`);
}

async function run(name: RealPdpName): Promise<void> {
  const folder = path.join('examples', name);
  const body = await readFile(path.join(folder, 'request.json'), 'utf8');
  const written = configuration.parse(parse(await readFile(path.join(folder, 'config.yaml'), 'utf8')));
  const pdp = await startRealPdp(name);
  if (pdp === undefined) throw new DemoFailure(`${name} cannot be had here: see scripts/tools/tool.ts.`);
  try {
    const pdpUrl = written.pdpUrl.replace(/:\d+/u, `:${pdp.port}`);
    const service = await startService({
      configuration: { ...written, pdpUrl, port: 0 },
      onLine: () => undefined,
    });
    const answer = await fetch(`http://127.0.0.1:${service.port}/enforce`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    show('Before:', request.parse(JSON.parse(body)).json);
    show(`After, as ${name} decides:`, await answer.json());
    await service.stop();
  } finally {
    await pdp.stop();
  }
}

try {
  await run(chosenName());
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
}
