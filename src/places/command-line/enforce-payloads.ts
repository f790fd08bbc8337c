import { joined, scan, TOP, type JsonPart } from '../../core/index.ts';
import { DEEPEST_ANSWER } from '../../enforcement/index.ts';
import { CommandEnforcer, type Enforcing } from './enforcing.ts';
import { readWhole, type Input } from './inputs.ts';
import type { Output } from './output.ts';
import { writePretty } from './pretty.ts';
import { unifiedDiff, wholeDiff } from './show-diff.ts';

/** How an enforced payload is shown. */
export interface View {
  /** One member or element a line. */
  readonly pretty: boolean;
  /** What changed, instead of the payload. */
  readonly diff: boolean;
  /** Colours a line of a diff; returns it as it is if the output has no colours. */
  readonly paint: (line: string) => string;
}

const LINE_BREAK = Buffer.from('\n');

/**
 * Enforces each input as one payload. Nothing is written before all of them are enforced.
 *
 * @throws CommandFailure if one of them cannot be read or enforced
 */
export async function enforcePayloads(
  inputs: readonly Input[],
  enforcing: Enforcing,
  view: View,
  output: Output,
): Promise<void> {
  const enforcer = new CommandEnforcer(enforcing);
  const { maxDepth } = enforcing.ports.settings;
  const shown: Buffer[] = [];
  for (const input of inputs) {
    // oxlint-disable-next-line no-await-in-loop -- files are read one after the other
    const payload = await readWhole(input, enforcing.limits.payload);
    // oxlint-disable-next-line no-await-in-loop
    const enforced = await enforcer.enforce(payload, input.name);
    const name = inputs.length > 1 ? input.name : undefined;
    for (const chunk of viewOf(payload, enforced, view, maxDepth, name)) shown.push(chunk);
  }
  await output.write(shown);
  await output.flush();
}

/** @param name of the payload, if there are others */
function viewOf(
  payload: Buffer,
  enforced: readonly Buffer[],
  view: View,
  maxDepth: number,
  name: string | undefined,
): Buffer[] {
  if (!view.pretty && !view.diff) return [...enforced, LINE_BREAK];
  const after = partOf(joined(enforced), DEEPEST_ANSWER);
  if (!view.diff) return inBlocks((write) => writePretty(after, write));
  const before = partOf(payload, maxDepth);
  const diff = view.pretty ? wholeDiff(before, after) : unifiedDiff(before, after);
  return inBlocks((write) => {
    for (const line of headed(diff, name)) write(view.paint(line));
  });
}

/** The lines of a diff, if there are any, below the name of what differs. */
function* headed(diff: Iterable<string>, name: string | undefined): Generator<string, void> {
  let isHeaded = name === undefined;
  for (const line of diff) {
    if (!isHeaded) yield* [`--- ${name}`, `+++ ${name}`];
    isHeaded = true;
    yield line;
  }
}

function partOf(bytes: Buffer, maxDepth: number): JsonPart {
  return { doc: scan(bytes, maxDepth), node: TOP };
}

/** How many characters are collected before they become bytes. */
const BLOCK = 64 * 1024;

/** Lines as bytes: a long text must not become one string, whose length is limited. */
function inBlocks(writeAll: (write: (line: string) => void) => void): Buffer[] {
  const blocks: Buffer[] = [];
  let text = '';
  writeAll((line) => {
    text += `${line}\n`;
    if (text.length < BLOCK) return;
    blocks.push(Buffer.from(text));
    text = '';
  });
  blocks.push(Buffer.from(text));
  return blocks;
}
