import { isDeepStrictEqual } from 'node:util';
import { KB, MB } from '../core/cases.ts';
import { enforceCore } from '../core/core.ts';
import { inProcess, type Contestant } from '../measure/contestant.ts';
import { inTurn, measurePaired, type Effort } from '../measure/paired.ts';
import { maskOnly, PROPERTIES } from '../payloads/decision.ts';
import { PAYLOADS } from '../payloads/payload.ts';
import type { PeersResult } from '../report/results.ts';
import { buildGjson, startGjson } from './gjson.ts';
import { peersInJavaScript } from './in-javascript.ts';

interface PeersCase {
  readonly bytes: number;
  readonly masks: number;
}

/** Up to 18 masks: not every peer knows arrays within records. */
const CASES: readonly PeersCase[] = [KB, 20 * KB, 400 * KB, 4 * MB].flatMap((bytes) =>
  [4, 18].map((masks) => ({ bytes, masks })),
);

interface PeersOptions {
  readonly effort: Effort;
  /** The largest payload, in bytes. */
  readonly largest: number;
  /** For what is built on the way. */
  readonly folder: string;
  readonly say: (line: string) => void;
}

/** Measures the core against what people would use instead. */
export async function measurePeers({ effort, largest, folder, say }: PeersOptions): Promise<PeersResult[]> {
  const gjson = buildGjson(folder);
  if (gjson === undefined) say('gjson and sjson are left out: they need a Go toolchain');
  const cases = CASES.filter(({ bytes }) => bytes <= largest);
  return inTurn(cases, async (one) => {
    const result = await measure(one, effort, gjson);
    const ratios = result.timings.slice(1).map(({ name, ratio }) => `${name} ${ratio.toFixed(2)}`);
    say(`${one.bytes / 1000} KB, ${one.masks} masks: ${ratios.join(', ')}`);
    return result;
  });
}

async function measure({ bytes, masks }: PeersCase, effort: Effort, gjson?: string): Promise<PeersResult> {
  const text = PAYLOADS.customers(bytes);
  const properties = PROPERTIES.slice(0, masks);
  const go = gjson === undefined ? undefined : startGjson(gjson, text, properties);
  const contestants = [
    ours(text, properties),
    ...peersInJavaScript(text, properties),
    ...(go ? [go.contestant] : []),
  ];
  try {
    await requireSameAnswers(contestants);
    return { bytes, masks, timings: await measurePaired(contestants, effort) };
  } finally {
    await go?.close();
  }
}

function ours(text: string, properties: readonly string[]): Contestant {
  const bytes = Buffer.from(text);
  const decision = Buffer.from(maskOnly(properties));
  return inProcess('core', () => enforceCore(bytes, decision));
}

async function requireSameAnswers(contestants: readonly Contestant[]): Promise<void> {
  const answers = await inTurn(contestants, async (one) => JSON.parse((await one.answer()).toString()));
  const other = answers.findIndex((answer) => !isDeepStrictEqual(answer, answers[0]));
  if (other >= 0) throw new Error(`${contestants[other]?.name} answers otherwise than the core`);
}
