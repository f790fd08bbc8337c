import lodash from 'lodash';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { parseConfiguration } from '../../src/config/load.ts';
import { compact } from '../reference/print.ts';
import { call, problemIn } from '../support/caller.ts';
import { startEnforcement } from '../support/service.ts';
import type { Example } from './example.ts';

const written = z.record(z.string(), z.unknown());
const logged = z.looseObject({ message: z.string() });

/** What comes of an example. JSON is without the spaces between its tokens. */
export interface Outcome {
  /** The payload that is answered. */
  readonly result?: string | undefined;
  /** The problem that is answered instead, but for the request's id. */
  readonly problem?: unknown;
  /** What the PDP is asked. */
  readonly question?: string | undefined;
  /** The lines about policies in dry run. */
  readonly log?: string | undefined;
}

/** What a page says of an example. It need not show everything, but must show a problem, and each line of the log. */
export function outcomeShown({ result, problem, question, log = '' }: Example): Outcome {
  return {
    ...(result !== undefined && { result: compact(result) }),
    ...(question !== undefined && { question: compact(question) }),
    problem: problem === undefined ? undefined : written.parse(JSON.parse(problem)),
    log,
  };
}

/**
 * Has an example enforced by the service, over HTTP, with a PDP that answers as the example says.
 *
 * @param page the configuration that holds for the page
 */
export async function enforceExample(example: Example, page: string): Promise<Outcome> {
  const configuration = {
    ...written.parse(parse(page)),
    ...written.parse(parse(example.configuration ?? '{}')),
  };
  parseConfiguration(stringify(configuration), { file: 'config.yaml' });
  const decision = answerOf(example.decision ?? '{}');
  const service = await startEnforcement({ body: decision }, lodash.omit(configuration, ['port', 'pdpUrl']));
  const answer = await call(service.port, { body: bodyOf(example) });
  const question = service.pdp.requests[0]?.body.toString();
  const isPayload = answer.status === 200;
  return {
    result: isPayload ? compact(answer.text) : undefined,
    problem: isPayload ? undefined : lodash.omit(problemIn(answer), 'instance'),
    question: question === undefined ? undefined : compact(question),
    log: dryRunsIn(service.logged),
  };
}

/** The sections of a decision may stand alone, without what the PDP wraps them in. */
function answerOf(decision: string): string {
  return /^\s*\{\s*"(?:response|data|tokenValidity)"/u.test(decision)
    ? decision
    : `{"response":[${decision}]}`;
}

function bodyOf({ payload, parameters = '{}', vendor = '{}' }: Example): string {
  return `{"parameters":${parameters},"vendor":${vendor},"json":${payload}}`;
}

function dryRunsIn(lines: readonly string[]): string {
  const messages = lines.map((line) => logged.parse(JSON.parse(line)).message);
  return messages.filter((message) => message.startsWith('Enforcement by Policy')).join('\n');
}
