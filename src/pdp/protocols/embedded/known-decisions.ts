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

/** What a question was read from, and what came of it. */
interface Latest extends Pick<EnforcementQuestion, 'vendor' | 'calculationType'> {
  readonly assetType: string;
  readonly asked: Asked;
}

/** A decision, and whom it is about. */
interface LatestDecision {
  readonly asked: Asked;
  readonly caller: Caller;
  readonly decision: WrittenDecision;
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
  /** What was asked last: to compare objects takes a tenth of the time of looking up their text. */
  #latest: Latest | undefined;
  #latestDecision: LatestDecision | undefined;
  readonly #questions = new LRUCache<string, Question>({ max: MAX_KNOWN });
  readonly #decisions = new LRUCache<string, WrittenDecision>({
    max: MAX_KNOWN,
    maxSize: MAX_FINGERPRINTS,
    sizeCalculation: ({ fingerprint }) => fingerprint.length,
  });

  /** @throws PdpRefusal 400 with every member that is wrong; it quotes no values */
  ask(asked: EnforcementQuestion): Asked {
    if (this.#latest !== undefined && isSame(this.#latest, asked)) return this.#latest.asked;
    const found = this.#find(asked);
    if (found.key === undefined || asked.vendor.doc.bytes.length > MAX_TEXT) return found;
    const { vendor, calculationType, settings } = asked;
    this.#latest = { vendor, calculationType, assetType: settings.assetType, asked: found };
    return found;
  }

  #find(asked: EnforcementQuestion): Asked {
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
    asked: Asked,
    caller: Caller,
  ): WrittenDecision {
    if (file !== this.#file) this.#forget(file);
    const latest = this.#latestDecision;
    if (latest?.asked === asked && isSameCaller(latest.caller, caller)) return latest.decision;
    const decision = this.#decide(file, calculationType, asked, caller);
    if (asked === this.#latest?.asked && caller.claims === undefined)
      this.#latestDecision = { asked, caller, decision };
    return decision;
  }

  #forget(file: PolicyFile): void {
    this.#decisions.clear();
    this.#latestDecision = undefined;
    this.#file = file;
  }

  #decide(
    file: PolicyFile,
    calculationType: EnforcementQuestion['calculationType'],
    { question, key }: Asked,
    caller: Caller,
  ): WrittenDecision {
    const whole = key === undefined ? undefined : keyOfDecision(key, caller);
    const known = whole === undefined ? undefined : this.#decisions.get(whole);
    if (known !== undefined) return known;
    const written = writtenDecision(file, evaluate(file, calculationType, question, caller));
    if (whole !== undefined) this.#decisions.set(whole, written);
    return written;
  }
}

/** Whether the same objects are asked about: their text is the same then. */
function isSame(latest: Latest, { vendor, assets, calculationType, settings }: EnforcementQuestion): boolean {
  return (
    latest.vendor === vendor &&
    assets === undefined &&
    latest.calculationType === calculationType &&
    latest.assetType === settings.assetType
  );
}

/** Whether both are the same user, without a token. */
function isSameCaller(one: Caller, other: Caller): boolean {
  return (
    one.clientId === other.clientId &&
    one.entityId === other.entityId &&
    one.entityTypeId === other.entityTypeId &&
    other.claims === undefined
  );
}

/** Assets that several policies are about are written once. A number is a place among them, and a text the path of one asset. */
function writtenDecision({ attrName, object }: PolicyFile, decision: Decision): WrittenDecision {
  const { response, maskShort } = decision;
  const [{ access, privileges }] = response;
  const assets = new Map<readonly string[], number>();
  const entries = access.map(({ path, ...entry }) => [
    typeof path === 'string' ? path : placeOf(path, assets),
    entry,
  ]);
  const written = [attrName, object, maskShort, entries, privileges, [...assets.keys()]];
  return { decision, fingerprint: Buffer.from(JSON.stringify(written)) };
}

function placeOf(list: readonly string[], among: Map<readonly string[], number>): number {
  const known = among.get(list) ?? among.size;
  among.set(list, known);
  return known;
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
  const { assetType } = settings;
  if (assets !== undefined || assetType.length + end - start > MAX_TEXT) return undefined;
  return `${calculationType} ${assetType.length} ${assetType}${doc.bytes.toString('latin1', start, end)}`;
}

function keyOfDecision(question: string, { claims, ...caller }: Caller): string | undefined {
  if (claims !== undefined && claims.bytes.length > MAX_TEXT) return undefined;
  const token = claims?.bytes.toString('latin1');
  return `${question.length} ${question}${JSON.stringify(caller)}${token ?? ''}`;
}
