import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

/** Masks three properties and keeps two records of three. */
const DECISION = JSON.stringify({
  tokenValidity: 0,
  response: [
    {
      access: ['name', 'ssn', 'address.street'].map((property) => ({
        path: property,
        resourceType: 'columns',
        actions: [{ action: property === 'ssn' ? 'last(4)' : 'MASK' }],
      })),
      privileges: {
        allowed: [
          {
            resourceType: 'columns',
            actions: [
              {
                action: 'FILTER',
                'asset-attributes-filter': { attribute: 'country', operator: 'IN', values: ['US', 'CA'] },
              },
            ],
          },
        ],
      },
    },
  ],
});

interface MeasuredService {
  readonly port: number;
  /** @returns the most memory that the service had resident, in bytes */
  stop(): Promise<{ readonly peak: number }>;
}

/** Starts the service as a process of its own, and a PDP that takes so many milliseconds to answer. */
export async function startMeasuredService(pdpMs: number): Promise<MeasuredService> {
  const pdp = createServer((asked, response) => {
    asked.resume();
    setTimeout(() => response.end(DECISION), pdpMs);
  });
  pdp.listen(0, '127.0.0.1');
  await once(pdp, 'listening');
  const folder = await mkdtemp(path.join(tmpdir(), 'measure-'));
  const config = path.join(folder, 'config.yaml');
  const ready = path.join(folder, 'ready');
  const keys = ['port: 0', 'host: 127.0.0.1', `pdpUrl: 127.0.0.1:${portOf(pdp.address())}`, 'filter: true'];
  await writeFile(config, [...keys, 'log.level: error'].join('\n'));
  const child = spawn(process.execPath, ['src/main.ts', '-c', config, '--ready-file', ready], {
    stdio: 'inherit',
  });
  const port = await portFrom(ready);
  return {
    port,
    async stop() {
      const peak = await peakMemoryOf(child.pid ?? 0);
      child.kill('SIGINT');
      await once(child, 'exit');
      pdp.closeAllConnections();
      pdp.close();
      await rm(folder, { recursive: true });
      return { peak };
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

async function portFrom(file: string): Promise<number> {
  const url = await readFile(file, 'utf8').catch(() => '');
  if (url !== '') return Number(new URL(url.trim()).port);
  await wait(50);
  return portFrom(file);
}

/** As Linux tells it. */
async function peakMemoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/mu.exec(status)?.[1] ?? 0) * 1024;
}
