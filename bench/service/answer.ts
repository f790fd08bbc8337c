import { isDeepStrictEqual } from 'node:util';
import { request } from 'undici';
import { PAYLOADS } from '../payloads/payload.ts';
import type { Contender } from './contender.ts';
import { requestFor, type PayloadSource } from './request.ts';

/** What a contender makes of a payload of so many bytes. */
export async function answerOf(
  { name, port }: Contender,
  bytes: number,
  source: PayloadSource = 'request',
): Promise<Buffer> {
  const { path, ...options } = requestFor(source, bytes);
  const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`, options);
  const answer = Buffer.from(await body.arrayBuffer());
  if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}`);
  return answer;
}

/**
 * Makes sure that all answer alike, and that those that mask nothing answer with the payload itself.
 *
 * @returns how long each one's answer is, in bytes
 */
export async function requireSameAnswers(
  contenders: readonly Contender[],
  bytes: number,
  source: PayloadSource,
): Promise<number[]> {
  const answers = await Promise.all(contenders.map((one) => answerOf(one, bytes, source)));
  const values = answers.map((answer): unknown => JSON.parse(answer.toString()));
  const payload: unknown = JSON.parse(PAYLOADS.customers(bytes));
  const masked = values.find((_, index) => contenders[index]?.masks === true);
  if (isDeepStrictEqual(masked, payload)) throw new Error('nothing is masked');
  contenders.forEach(({ name, masks }, index) => {
    if (!isDeepStrictEqual(values[index], masks ? masked : payload))
      throw new Error(`${name} gives another answer than the others`);
  });
  return answers.map(({ length }) => length);
}
