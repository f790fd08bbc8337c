import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { afterEach, expect, test } from '@jest/globals';
import { closeAll, stopLater } from '../pdp/transport/setup.ts';
import { fileWith } from '../support/folder.ts';
import { PROGRAM } from '../support/program.ts';

afterEach(closeAll);

const MEGABYTE = 1e6;
const LENGTH = 200 * MEGABYTE;
/** Half as much again as the program takes for a few records, and less than it takes together with these. */
const MOST = 300 * MEGABYTE;
const RECORD = `${JSON.stringify({ ssn: '123-45-6789', more: 'x'.repeat(1000) })}\n`;
const MASKED = RECORD.replace('123-45-6789', '***');
const BLOCK = Buffer.from(RECORD.repeat(64));

/** The most memory that a process has had resident so far, in bytes. */
async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s*(\d+) kB$/mu.exec(status)?.[1] ?? Infinity) * 1024;
}

test('enforce --ndjson takes no more memory for 200 MB of records than for a few', async () => {
  const policies = await fileWith('policies: [{ name: SSN, properties: [ssn], action: MASK }]');
  const child = spawn(process.execPath, [PROGRAM, 'enforce', '--ndjson', '-p', policies], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  stopLater(() => Promise.resolve(void child.kill('SIGKILL')));
  let taken = 0;
  let last = '';
  child.stdout.on('data', (chunk: Buffer) => {
    taken += chunk.length;
    last = (last + chunk.toString('latin1')).slice(-MASKED.length);
  });
  const times = Math.ceil(LENGTH / BLOCK.length);
  for (let sent = 0; sent < times; sent++) {
    // oxlint-disable-next-line no-await-in-loop -- as fast as it is taken
    if (!child.stdin.write(BLOCK)) await once(child.stdin, 'drain');
  }
  while (taken < (times - 1) * 64 * MASKED.length) {
    // oxlint-disable-next-line no-await-in-loop -- until nearly everything is there
    await once(child.stdout, 'data');
  }
  const peak = await peakOf(child.pid ?? 0);
  child.stdin.end();
  await once(child, 'close');
  expect({ code: child.exitCode, taken, last }).toEqual({
    code: 0,
    taken: times * 64 * MASKED.length,
    last: MASKED,
  });
  expect(peak).toBeLessThan(MOST);
});
