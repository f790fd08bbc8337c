import { isDeepStrictEqual } from 'node:util';
import { request } from 'undici';
import { enforceBody } from './body.ts';
import type { Contender } from './contender.ts';

/** What a contender makes of a payload of so many bytes. */
export async function answerOf({ name, port }: Contender, bytes: number): Promise<Buffer> {
  const { statusCode, body } = await request(`http://127.0.0.1:${port}/enforce`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: enforceBody(bytes),
  });
  const answer = Buffer.from(await body.arrayBuffer());
  if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}`);
  return answer;
}

/**
 * Makes sure that all answer alike.
 *
 * @returns how long each one's answer is, in bytes
 */
export async function requireSameAnswers(contenders: readonly Contender[], bytes: number): Promise<number[]> {
  const answers = await Promise.all(contenders.map((one) => answerOf(one, bytes)));
  const values = answers.map((answer): unknown => JSON.parse(answer.toString()));
  const other = values.findIndex((value) => !isDeepStrictEqual(value, values[0]));
  if (other >= 0) throw new Error(`${contenders[other]?.name} answers otherwise than the service`);
  return answers.map(({ length }) => length);
}
