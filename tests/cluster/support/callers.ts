import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { eventually } from './command.ts';
import { restricted } from './resources.ts';
import type { Space } from './space.ts';

const SCRIPT = readFileSync(path.join(import.meta.dirname, 'callers.mjs'), 'utf8');

const taken = z.object({ sent: z.number(), answered: z.number(), lost: z.record(z.string(), z.number()) });

type Taken = z.output<typeof taken>;

/** How long requests go on after a disturbance before they are counted, in milliseconds. */
const SETTLING = 3000;

/** How many callers a pod has: those that keep a connection, and those that connect for each request. */
export const CALLERS = { kept: 60, fresh: 4 };

export interface Load {
  readonly url: string;
  /** The body to post; without it, the callers send GET. */
  readonly body?: object;
  /** How long each caller pauses between requests, in milliseconds. */
  readonly pause?: number;
  /** A text that must be masked in all answers. */
  readonly hidden?: string;
  /** The Secret with the authority of the server, and the certificate of the callers if they have one. */
  readonly secret?: string;
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
  static async start(space: Space, name: string, load: Load): Promise<Callers> {
    const callers = new Callers(space, name);
    const script = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { 'callers.mjs': SCRIPT },
    };
    await space.apply([script, podOf(name, load)]);
    await space.kubectl('wait', '--for=condition=Ready', `pod/${name}`, '--timeout=90s');
    await eventually(async () => {
      await callers.take();
      await wait(2000);
      requireNoLoss(await callers.take());
    }, 60);
    return callers;
  }

  /** Ends the callers. */
  async stop(): Promise<void> {
    await this.#space.kubectl('delete', 'pod', this.#name, '--wait=false');
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

function podOf(name: string, { url, body, pause = 400, hidden = '', secret }: Load): object {
  const volumes = [
    { mountPath: '/callers', source: { configMap: { name } } },
    ...(secret === undefined ? [] : [{ mountPath: '/tls', source: { secret: { secretName: secret } } }]),
  ];
  const env = {
    METHOD: body === undefined ? 'GET' : 'POST',
    BODY: JSON.stringify(body ?? {}),
    KEPT: String(CALLERS.kept),
    FRESH: String(CALLERS.fresh),
    PAUSE: String(pause),
    HIDDEN: hidden,
    TLS: '/tls',
  };
  return restricted(name, { command: ['node', '/callers/callers.mjs', url], env, volumes });
}

function requireNoLoss({ sent, answered, lost }: Taken): void {
  if (sent === 0) throw new Error('The callers sent nothing');
  if (answered < sent) throw new Error(`Of ${sent} requests were lost: ${JSON.stringify(lost)}`);
}
