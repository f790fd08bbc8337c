/**
 * Is loaded into the process of the service before anything else (`node --import`), and lets a test measure its memory and
 * set its wall clock. Monotonic time goes on as it does.
 */
import process from 'node:process';
import { collectGarbage } from '../support/garbage.ts';
import type { Instruction, Measurement } from './instructions.ts';

const RealDate = Date;
let shift = 0;

function now(): number {
  return RealDate.now() + shift;
}

globalThis.Date = new Proxy(RealDate, {
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  construct: (target, parts) => Reflect.construct(target, parts.length === 0 ? [now()] : parts),
});

/** What is in use once garbage is collected. */
function measure(): Measurement {
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapUsed, external, rss, resources: process.getActiveResourcesInfo() };
}

process.on('message', (instruction: Instruction) => {
  if (instruction.clock !== undefined) shift = instruction.clock;
  process.send?.(measure());
});
process.channel?.unref();
