import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'undici';
import * as z from 'zod';
import { ask } from '../service/child.ts';
import { startService, type Service } from '../service/contender.ts';
import { bodyOf, MAX_ANSWER, SETTINGS, type Outcome } from './enforcing.ts';
import type { HostileRequest } from './shape.ts';

/**
 * Answers each message with the processor time that the service has taken so far. No request pays for the garbage of another.
 * JavaScript, because a process that has read TypeScript once takes longer for each access to a buffer.
 */
const PROBE = `
  process.on('message', () => {
    gc({ type: 'minor' });
    process.send(process.cpuUsage());
  });
  process.once('disconnect', () => process.exit());
`;

const problem = z.object({ type: z.string() });

const processorTime = z.object({ user: z.number(), system: z.number() });

/** How long nothing is asked between two probes of the liveness, in milliseconds. */
const BETWEEN_PROBES = 2;

/** How each entry of a decision begins. */
const ENTRY = '{"resourceType":"columns"';

/** How many decisions were given. */
let decisions = 0;

/** The service in another process, which asks a PDP in this one. */
export class Serving {
  private readonly service: Service;
  private readonly client: Client;
  /** A connection for probes. */
  private readonly prober: Client;
  private readonly pdp: Server;
  private answer = '';

  private constructor(service: Service, pdp: Server) {
    this.service = service;
    const url = `http://127.0.0.1:${service.port}`;
    this.client = new Client(url, { bodyTimeout: 0, headersTimeout: 0 });
    this.prober = new Client(url);
    this.pdp = pdp;
    pdp.on('request', (request, response) => {
      request.resume();
      request.once('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(this.answer);
      });
    });
  }

  /** @param entry the program that runs: `dist/main.js` */
  static async start(entry: string): Promise<Serving> {
    const pdp = createServer();
    await once(pdp.listen(0, '127.0.0.1'), 'listening');
    const configuration = { ...SETTINGS, maxBody: 16, maxAnswer: MAX_ANSWER / 1024 ** 2 };
    const preloaded = `data:text/javascript,${encodeURIComponent(PROBE)}`;
    const options = { name: 'service', entry, pdpPort: portOf(pdp), configuration, preloaded };
    return new Serving(await startService(options), pdp);
  }

  /** Sends a request. The service has not seen the decision about it before. */
  async run(request: HostileRequest): Promise<Outcome> {
    const body = await this.prepare(request);
    const start = await this.processorTime();
    const answer = await this.send(body);
    return { cpu: (await this.processorTime()) - start, answer };
  }

  /** Sends one, too. @returns how long the liveness takes to answer meanwhile, at most, in milliseconds */
  async slowestProbe(request: HostileRequest): Promise<number> {
    const body = await this.prepare(request);
    const progress = { isOver: false };
    const sent = this.send(body).finally(() => (progress.isOver = true));
    let slowest = 0;
    while (!progress.isOver) {
      const start = performance.now();
      // oxlint-disable-next-line no-await-in-loop -- one after the other is what is asked for
      await this.probe();
      slowest = Math.max(slowest, performance.now() - start);
      // oxlint-disable-next-line no-await-in-loop -- the same
      await wait(BETWEEN_PROBES);
    }
    await sent;
    return slowest;
  }

  /** Lets the PDP answer with the decision. @returns the body that is sent */
  private async prepare({ payload, before, parameters, decision }: HostileRequest): Promise<Buffer> {
    this.answer = byAnotherPolicy(JSON.stringify(decision));
    if (before !== undefined) await this.send(bodyOf(before, parameters));
    return bodyOf(payload, parameters);
  }

  private async probe(): Promise<void> {
    const { statusCode, body } = await this.prober.request({ method: 'GET', path: '/health/liveness' });
    await body.dump();
    if (statusCode !== 200) throw new Error(`the liveness answers ${statusCode}`);
  }

  async stop(): Promise<void> {
    await this.client.close();
    await this.prober.close();
    await this.service.stop();
    this.pdp.close();
  }

  private async send(body: Buffer): Promise<Outcome['answer']> {
    const headers = { 'content-type': 'application/json' };
    const answer = await this.client.request({ method: 'POST', path: '/enforce', headers, body });
    if (answer.statusCode === 200) return (await answer.body.arrayBuffer()).byteLength;
    // The error's code is the last part of what names it (docs/errors.md).
    return problem.parse(await answer.body.json()).type.replace(/^.*:/u, '');
  }

  /** Of the service so far, in milliseconds. */
  private async processorTime(): Promise<number> {
    const { user, system } = processorTime.parse(await ask(this.service.child, {}));
    return (user + system) / 1000;
  }
}

/** A decision that asks the same, of which no entry was read before. */
function byAnotherPolicy(decision: string): string {
  return decision.replaceAll(ENTRY, `${ENTRY},"policies":[{"name":"policy ${decisions++}"}]`);
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the PDP does not listen');
  return address.port;
}
