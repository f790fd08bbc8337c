import { referenceEnforce } from '../../tests/reference/enforce.ts';
import { compact } from '../../tests/reference/print.ts';
import { isList, PAYLOADS } from '../payloads/payload.ts';
import { KB, type CoreCase } from './cases.ts';
import { enforceCore, SETTINGS } from './core.ts';

/** The reference asks every rule of every property of every record: larger lists would take it minutes. */
const REFERENCE_LIMIT = 400 * KB;

/**
 * Makes sure that the core answers as the reference of the tests does, digit for digit. A list that is too large for it has to
 * be answered as the beginning of it is.
 */
export function verifyCore(measured: CoreCase): void {
  const { kind, bytes, rules } = measured;
  const answer = answerTo(measured, bytes);
  const isRight =
    bytes <= REFERENCE_LIMIT || !isList(kind)
      ? compact(answer) === referenceAnswer(measured)
      : answer.startsWith(withoutEnd(answerTo(measured, REFERENCE_LIMIT)));
  if (!isRight) throw new Error(`${kind}, ${bytes} bytes, ${rules}: the core's answer is wrong`);
}

function answerTo({ kind, decision }: CoreCase, bytes: number): string {
  const answer = enforceCore(Buffer.from(PAYLOADS[kind](bytes)), Buffer.from(decision));
  return Buffer.concat(answer).toString();
}

function referenceAnswer({ kind, bytes, decision }: CoreCase): string {
  const { attrName, maskString, filter, filterDefault } = SETTINGS;
  const answer = referenceEnforce({
    config: { attrName, maskString, filter, filterDefault },
    parameters: {},
    vendor: {},
    jsonText: PAYLOADS[kind](bytes),
    decision: JSON.parse(decision),
  });
  return answer.status === 200 ? answer.text : `refused with ${answer.status}`;
}

function withoutEnd(list: string): string {
  return list.replace(/\s*\]$/u, '');
}
