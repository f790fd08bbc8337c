import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { JsonValue } from '../../src/core/json/value.ts';
import { DemoFailure } from './failure.ts';
import { readJson } from './json.ts';
import type { RequestLog } from './log.ts';
import type { Sample } from './samples.ts';
import type { User } from './users.ts';

const PAYLOADS = path.resolve(import.meta.dirname, '../../examples/payloads');
/** Far longer than the service takes. Milliseconds. */
const TIMEOUT = 10_000;

const problemSchema = z.object({ title: z.string(), detail: z.string() });

/** What the service made of a payload for one user. */
export interface Enforcement {
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** The lines of the log about policies in dry run. */
  readonly dryRuns: readonly string[];
}

/** Puts payloads to a running service. */
export class Enforcer {
  private readonly url: string;
  private readonly log: RequestLog;
  private readonly known = new Map<string, Promise<Enforcement>>();

  /**
   * @param port where the service listens on the loopback interface
   * @param log the service's own
   */
  constructor(port: number, log: RequestLog) {
    this.url = `http://127.0.0.1:${port}/enforce`;
    this.log = log;
  }

  /**
   * Has a sample enforced for a user, over HTTP; once, however often it is asked for.
   *
   * @throws DemoFailure where the service answers anything but a payload
   */
  enforce(sample: Sample, user: User): Promise<Enforcement> {
    const requestId = `demo-${sample.payload}-${user.entityId}`;
    const enforcement = this.known.get(requestId) ?? this.ask(sample, user, requestId);
    this.known.set(requestId, enforcement);
    return enforcement;
  }

  private async ask(sample: Sample, user: User, requestId: string): Promise<Enforcement> {
    const payload = await readFile(path.join(PAYLOADS, `${sample.payload}.json`), 'utf8');
    const signal = AbortSignal.timeout(TIMEOUT);
    const headers = { 'Content-Type': 'application/json', 'X-Request-Id': requestId };
    const answer = await post(this.url, { headers, body: bodyOf(payload, sample, user), signal });
    const entries = await this.log.complete(requestId, signal);
    const dryRuns = entries.filter(({ message }) => message.startsWith('Enforcement by Policy'));
    return {
      before: readJson(payload),
      after: readJson(answer),
      dryRuns: dryRuns.map(({ level, message }) => `${level.toUpperCase()} ${message}`),
    };
  }
}

async function post(url: string, request: RequestInit): Promise<string> {
  const response = await fetch(url, { ...request, method: 'POST' }).catch(() => {
    throw new DemoFailure('The service does not answer.');
  });
  const answer = await response.text();
  if (response.status !== 200) throw new DemoFailure(describeProblem(response.status, answer));
  return answer;
}

/** The payload goes into the request as it stands in its file. */
function bodyOf(payload: string, { parameters, vendor }: Sample, { entityId, entityTypeId }: User): string {
  const question = JSON.stringify({ ...vendor, entityId, entityTypeId });
  return `{"parameters":${JSON.stringify(parameters)},"vendor":${question},"json":${payload}}`;
}

function describeProblem(status: number, answer: string): string {
  const { title, detail } = problemSchema.parse(JSON.parse(answer));
  return `The service answers with status ${status}: ${title}. ${detail}`;
}
