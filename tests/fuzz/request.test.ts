import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { comparable } from '../core/comparable.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import {
  decisionTextOf,
  referenceEnforce,
  type EnforcementAnswer,
  type EnforcementProblem,
} from '../reference/enforce.ts';
import { HASH_KEYS } from '../reference/keys.ts';
import { enforcementProblem } from '../reference/generate.ts';
import { call, enforcing, problemIn, type Answer } from '../support/caller.ts';
import { startEnforcement, type Service } from '../support/service.ts';
import { answersIn, exchanged } from '../support/wire.ts';
import { mangled } from './mangle.ts';
import { escapeLineBreaks } from '../reference/line.ts';
import { fuzz, TIME_LIMIT } from './time.ts';

afterEach(closeAll);

const directory = mkdtempSync(path.join(tmpdir(), 'mask-keys-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The keys of the reference, as files. */
const maskKeys = Object.fromEntries(
  Array.from(HASH_KEYS, ([name, key]) => {
    const file = path.join(directory, name);
    writeFileSync(file, key);
    return [name, { file }];
  }),
);

/** What may be answered to a request whatever it is, while the PDP is there: never that the service failed. */
const ANSWERS: ReadonlySet<number> = new Set([200, 400, 401, 404, 405, 408, 413, 415, 417, 422, 431, 502]);

const NAMES = { attrName: 'column', object: 'table' };
const DECISION = JSON.stringify({
  response: [
    {
      access: [
        {
          path: 'ssn',
          resourceType: 'columns',
          attributes: { column: ['ssn', 'a.#.b', '*'] },
          actions: [{ action: 'MASK' }],
        },
      ],
    },
  ],
});

const problemBody = enforcementProblem.map((problem) => Buffer.from(bodyOf(problem)));

describe('whatever a request is', () => {
  test(
    'it is answered as the naive reference answers it, over HTTP',
    async () => {
      await fuzz(
        0.4,
        fc.asyncProperty(enforcementProblem, async (problem) => {
          const service = await startEnforcement(
            { body: decisionTextOf(problem) },
            { ...problem.config, maskKeys },
            'info',
          );
          const answer = await call(service.port, { body: bodyOf(problem) });
          await closeAll();
          expect(comparable(enforcementAnswer(answer, service))).toEqual(
            comparable(referenceEnforce(problem)),
          );
        }),
      );
    },
    TIME_LIMIT,
  );

  test(
    'a body that is mangled is refused or enforced, and the service does not fail',
    async () => {
      const service = await startEnforcement({ body: DECISION }, NAMES);
      await fuzz(
        0.2,
        fc.asyncProperty(mangled(problemBody), async (body) => {
          expect(flawsOf(await call(service.port, { body }))).toEqual([]);
        }),
      );
      expect(await isWell(service)).toBe(true);
    },
    TIME_LIMIT,
  );

  test(
    'a message that is mangled anywhere gets answers that are whole, or none',
    async () => {
      const service = await startEnforcement({ body: DECISION }, NAMES);
      const message = problemBody.map(messageWith);
      await fuzz(
        0.2,
        fc.asyncProperty(mangled(message), async (bytes) => {
          const answers = answersIn(await exchanged(service.port, Buffer.concat([bytes, END])));
          expect(answers.flatMap(flawsOf)).toEqual([]);
        }),
      );
      expect(await isWell(service)).toBe(true);
    },
    TIME_LIMIT,
  );

  test(
    'a decision that is mangled is refused or enforced, and the service does not fail',
    async () => {
      const service = await startEnforcement({}, NAMES);
      const decision = enforcementProblem.map((problem) => Buffer.from(decisionTextOf(problem)));
      await fuzz(
        0.2,
        fc.asyncProperty(problemBody, mangled(decision), async (body, answer) => {
          service.pdp.answer({ body: answer });
          expect(flawsOf(await call(service.port, { body }))).toEqual([]);
        }),
      );
      service.pdp.answer({ body: DECISION });
      expect(await isWell(service)).toBe(true);
    },
    TIME_LIMIT,
  );
});

/** Behind any message: it ends what a mangled length may wait for, and then the connection. */
const END = Buffer.from(`${' '.repeat(64)}\r\n\r\nEND\r\n\r\n`);

function messageWith(body: Buffer): Buffer {
  const head = `POST /enforce HTTP/1.1\r\nHost: service\r\nConnection: close\r\nContent-Type: application/json\r\n`;
  return Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]);
}

function bodyOf({ parameters, vendor, jsonText }: EnforcementProblem): string {
  return enforcing(jsonText, { parameters, vendor });
}

/** What is wrong with an answer, whatever was asked. */
function flawsOf(answer: Answer): readonly string[] {
  const { status, headers, text } = answer;
  if (!ANSWERS.has(status)) return [`the status ${status}`];
  const isProblem = headers['content-type'] === 'application/problem+json';
  if (isProblem === (status === 200)) return [`the format ${headers['content-type']} with ${status}`];
  if (isProblem) return problemIn(answer).status === status ? [] : ['another status in the problem'];
  return isJson(text) ? [] : ['a payload that is no JSON'];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function isWell({ port }: Service): Promise<boolean> {
  const { status, text } = await call(port, { body: enforcing('[{"ssn":"1"}]') });
  return status === 200 && text === '[{"ssn":"***"}]';
}

/** An answer over HTTP, with the lines of dry runs in the log, as the reference has it. */
function enforcementAnswer({ status, text }: Answer, { logged }: Service): EnforcementAnswer {
  if (status === 200) return { status, text, dryRun: logged.flatMap(dryRunLine) };
  if (status === 400 || status === 422 || status === 502) return { status };
  throw new Error(`an unexpected status ${status}`);
}

function dryRunLine(line: string): readonly string[] {
  const { message }: { readonly message: string } = JSON.parse(line);
  return message.startsWith('Enforcement by Policy ') ? [escapeLineBreaks(message)] : [];
}
