import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { eventually } from './command.ts';
import { IMAGE, restricted } from './resources.ts';
import type { Space } from './space.ts';

const SCRIPT = readFileSync(path.join(import.meta.dirname, 'callers.mjs'), 'utf8');

const taken = z.object({ sent: z.number(), answered: z.number(), lost: z.record(z.string(), z.number()) });

type Taken = z.output<typeof taken>;

/** How long requests go on after a disturbance before they are counted, in milliseconds. */
const SETTLING = 3000;

interface Load {
  readonly url: string;
  /** The body to post; without it, the callers send GET. */
  readonly body?: object;
}

/** Callers in a pod of the cluster, so that no traffic leaves it. */
export class Callers {
  readonly #space: Space;
  readonly #name: string;

  private constructor(space: Space, name: string) {
    this.#space = space;
    this.#name = name;
  }

  /** Starts the callers, and waits until all they ask is answered. */
  static async start(space: Space, name: string, { url, body }: Load): Promise<Callers> {
    const callers = new Callers(space, name);
    const method = body === undefined ? 'GET' : 'POST';
    const env = [
      { name: 'METHOD', value: method },
      { name: 'BODY', value: JSON.stringify(body ?? {}) },
    ];
    const container = { command: ['node', '/callers/callers.mjs', url], env };
    await space.apply([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { 'callers.mjs': SCRIPT } },
      restricted(name, { image: IMAGE, ...container }, { mountPath: '/callers', configMap: { name } }),
    ]);
    await space.kubectl('wait', '--for=condition=Ready', `pod/${name}`, '--timeout=90s');
    await eventually(async () => {
      await callers.take();
      await wait(2000);
      requireNoLoss(await callers.take());
    }, 60);
    return callers;
  }

  /** What became of the requests since the last time. */
  async take(): Promise<Taken> {
    const url = `/api/v1/namespaces/${this.#space.namespace}/pods/${this.#name}:9000/proxy/take`;
    return taken.parse(JSON.parse(await this.#space.kubectl('get', '--raw', url)));
  }

  /**
   * Disturbs the service while it is called.
   *
   * @throws Error if a request was lost
   */
  async loseNothing(disturb: () => Promise<unknown>): Promise<void> {
    requireNoLoss(await this.during(disturb));
  }

  /** What becomes of the requests while the service is disturbed, and shortly after. */
  async during(disturb: () => Promise<unknown>): Promise<Taken> {
    await this.take();
    await disturb();
    await wait(SETTLING);
    return this.take();
  }
}

function requireNoLoss({ sent, answered, lost }: Taken): void {
  if (sent === 0) throw new Error('The callers sent nothing');
  if (answered < sent) throw new Error(`Of ${sent} requests were lost: ${JSON.stringify(lost)}`);
}
