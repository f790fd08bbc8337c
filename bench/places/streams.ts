import { setTimeout as wait } from 'node:timers/promises';
import { stringify } from 'yaml';
import { request } from 'undici';
import { startEnvoy } from '../../scripts/tools/envoy.ts';
import { envoyConfiguration, FULL_DUPLEX } from '../../scripts/tools/envoy-configuration.ts';
import { freePort } from '../../scripts/tools/free-port.ts';
import { residentMemory } from '../footprint/memory.ts';
import { inTurn } from '../measure/paired.ts';
import type { StreamResult } from '../report/results.ts';
import { startService, type Contender } from '../service/contender.ts';
import { findEnvoy } from '../../scripts/tools/envoy.ts';
import { startProxy } from './proxies.ts';
import { FORMATS, type StreamFormat } from './stream-formats.ts';

interface StreamOptions {
  readonly entry: string;
  /** Where the application listens. */
  readonly upstream: number;
  readonly policyFile: string;
  /** How long each stream is, in bytes. */
  readonly bytes: number;
  readonly say: (line: string) => void;
}

type Start = (options: StreamOptions) => Promise<Contender>;

/** How long a process is left alone before its idle memory is read, in milliseconds. */
const REST = 1000;

/** Measures what memory a long stream of records takes in the places that enforce record by record. */
export async function measureStreams(options: StreamOptions): Promise<StreamResult[]> {
  const starts: readonly Start[] = [startPlainProxy, ...(findEnvoy() === undefined ? [] : [startProcessor])];
  const results = await inTurn(FORMATS, (format) =>
    inTurn(starts, (start) => measure(start, format, options)),
  );
  return results.flat(2);
}

function startPlainProxy({ entry, upstream, policyFile }: StreamOptions): Promise<Contender> {
  const configuration = { policyFile, pdpUrl: undefined };
  return startProxy({ name: 'proxy', entry, pdpPort: 0, upstream, configuration });
}

async function startProcessor({ entry, upstream, policyFile }: StreamOptions): Promise<Contender> {
  const port = await freePort();
  const configuration = { extProc: { port, host: '127.0.0.1' }, policyFile, pdpUrl: undefined };
  const service = await startService({ name: 'processor', entry, pdpPort: 0, configuration });
  const processor = { port, mode: FULL_DUPLEX };
  const envoy = await startEnvoy(findEnvoy() ?? '', stringify(envoyConfiguration({ upstream, processor })));
  const end = async (): Promise<void> => {
    await envoy.stop();
    await service.stop();
  };
  return { ...service, port: envoy.port, stop: end };
}

async function measure(start: Start, format: StreamFormat, options: StreamOptions): Promise<StreamResult[]> {
  const contender = await start(options);
  try {
    await lengthOf(contender, format, 1);
    await wait(REST);
    const idle = await residentMemory(contender.pid);
    const begun = performance.now();
    await lengthOf(contender, format, options.bytes);
    const milliseconds = performance.now() - begun;
    const loaded = await residentMemory(contender.pid);
    if (idle === undefined || loaded === undefined) return [];
    const { name } = contender;
    const result = { name, format, bytes: options.bytes, milliseconds, idle: idle.now, peak: loaded.peak };
    options.say(`${name}, ${format}: ${Math.round((result.peak - result.idle) / 1e6)} MB above idle`);
    return [result];
  } finally {
    await contender.stop();
  }
}

/** Reads a stream of at least so many bytes to its end. @returns how long it is after enforcement */
async function lengthOf({ name, port }: Contender, format: StreamFormat, bytes: number): Promise<number> {
  const url = `http://127.0.0.1:${port}/streams/${format}/${bytes}`;
  const { statusCode, body } = await request(url, { bodyTimeout: 0 });
  let length = 0;
  for await (const chunk of body) length += Buffer.from(chunk).length;
  if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}`);
  return length;
}
