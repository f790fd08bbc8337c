import { LRUCache } from 'lru-cache';
import { endOf, startOf } from '../../../core/index.ts';
import type { Question as EnforcementQuestion } from '../../../enforcement/index.ts';
import type { PolicyFile } from '../../policies/index.ts';
import type { Caller } from './caller.ts';
import type { Decision } from './decision.ts';
import { evaluate } from './evaluate.ts';
import { questionFrom, type Question } from './question.ts';

/** A decision and its fingerprint: the decision as JSON, with the names of properties that it was written with. */
export interface WrittenDecision {
  readonly decision: Decision;
  readonly fingerprint: Uint8Array;
}

/** A question, and its key for caching; undefined if it is not kept. */
interface Asked {
  readonly question: Question;
  readonly key: string | undefined;
}

/** How many questions and decisions are kept: as many as there are users at a time, in most services. */
const MAX_KNOWN = 256;
/** Longer texts of questions and claims are not kept, in bytes. */
const MAX_TEXT = 2048;
/** How long the fingerprints of the decisions that are kept may be together, in bytes. */
const MAX_FINGERPRINTS = 4 * 1024 * 1024;

/**
 * Reads questions, and evaluates policies on them, each once as long as it comes again and the policies stay. Who asks is found
 * out each time: a token expires.
 */
export class KnownDecisions {
  #file: PolicyFile | undefined;
  readonly #questions = new LRUCache<string, Question>({ max: MAX_KNOWN });
  readonly #decisions = new LRUCache<string, WrittenDecision>({
    max: MAX_KNOWN,
    maxSize: MAX_FINGERPRINTS,
    sizeCalculation: ({ fingerprint }) => fingerprint.length,
  });

  /** @throws PdpRefusal 400 with every member that is wrong; it quotes no values */
  ask(asked: EnforcementQuestion): Asked {
    const key = keyOfQuestion(asked);
    const known = key === undefined ? undefined : this.#questions.get(key);
    if (known !== undefined) return { question: known, key };
    const question = questionFrom(asked);
    // No secret is kept for longer than its question takes.
    if (key === undefined || question.clientSecret !== undefined) return { question, key: undefined };
    this.#questions.set(key, question);
    return { question, key };
  }

  /** @throws PdpRefusal if the answer would need a guess */
  decide(
    file: PolicyFile,
    calculationType: EnforcementQuestion['calculationType'],
    { question, key }: Asked,
    caller: Caller,
  ): WrittenDecision {
    if (file !== this.#file) this.#decisions.clear();
    this.#file = file;
    const whole = key === undefined ? undefined : keyOfDecision(key, caller);
    const known = whole === undefined ? undefined : this.#decisions.get(whole);
    if (known !== undefined) return known;
    const written = writtenDecision(file, evaluate(file, calculationType, question, caller));
    if (whole !== undefined) this.#decisions.set(whole, written);
    return written;
  }
}

function writtenDecision({ attrName, object }: PolicyFile, decision: Decision): WrittenDecision {
  const { response, maskShort } = decision;
  return { decision, fingerprint: Buffer.from(JSON.stringify([attrName, object, maskShort, response])) };
}

/** Everything that the question is read from. Each part begins with its length, or cannot be taken for another. */
function keyOfQuestion({
  calculationType,
  vendor,
  assets,
  settings,
}: EnforcementQuestion): string | undefined {
  const { doc, node } = vendor;
  const [start, end] = [startOf(doc, node), endOf(doc, node)];
  if (assets !== undefined || end - start > MAX_TEXT) return undefined;
  const { assetType } = settings;
  return `${calculationType} ${assetType.length} ${assetType}${doc.bytes.toString('latin1', start, end)}`;
}

function keyOfDecision(question: string, { claims, ...caller }: Caller): string | undefined {
  if (claims !== undefined && claims.bytes.length > MAX_TEXT) return undefined;
  const token = claims?.bytes.toString('latin1');
  return `${question.length} ${question}${JSON.stringify(caller)}${token ?? ''}`;
}
