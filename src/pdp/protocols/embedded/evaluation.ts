import { setImmediate as turn } from 'node:timers/promises';
import _ from 'lodash';
import type { HeaderFields } from '../../port.ts';
import { assetTypesOf, type PolicyFile } from '../../policies/index.ts';
import { MAX_ANSWER, type AnswerLength } from './answer-length.ts';
import { applicable, type Applicable } from './evaluate.ts';
import type { Caller } from './caller.ts';
import { identifyCaller } from './identify.ts';
import type { Question } from './question.ts';
import { PdpRefusal } from './refusal.ts';
import { allowingFilters, documentRules } from './rules.ts';

/** What an evaluation is about, or who asks, in the words of AuthZEN. */
interface Named {
  readonly type: string;
  readonly id: string;
}

/** The answer to one evaluation. */
export interface Decision {
  readonly decision: boolean;
  readonly context?: unknown;
}

/** How the caller enters a scope, and which data mappers are chosen. */
type Entering = Pick<Question, 'clientId' | 'clientID' | 'clientSecret' | 'environment'>;

/** What is asked in one evaluation. */
export interface Evaluation {
  readonly subject: Named;
  readonly entering: Entering | undefined;
  readonly about: Named;
  /** The records that the asset is one of, as the request names them: the type of the asset, and their asset type. */
  readonly records: Named | undefined;
}

/** Who asks, with the same words. */
interface Asking extends Pick<Evaluation, 'subject' | 'entering'> {
  readonly question: Question;
  readonly caller: Caller;
}

/** The rules about some asset types for somebody. */
interface Ruling {
  readonly asking: Asking;
  readonly types: readonly string[];
  readonly areAssets: boolean;
  readonly permit: Decision;
  /** How long the permit is as JSON, in characters. */
  readonly length: number;
  /** Whether the record of an asset stays, as far as its identifier decides that; conditions are in the obligation. */
  readonly keeps: (id: string) => boolean;
}

/**
 * Decides the evaluations of a request, one after the other. What one has in common with the one before is not looked at again: there
 * may be a thousand of one user.
 */
export class Evaluations {
  readonly #file: PolicyFile;
  readonly #headers: HeaderFields;
  readonly #known: KnownTypes;
  readonly #answer: AnswerLength;
  #latest: Ruling | undefined;
  /** How long the permits are together that were made, in characters, whether or not they are in the answer. */
  #made = 0;

  /** @param answer how long the answers get together */
  constructor(file: PolicyFile, headers: HeaderFields, answer: AnswerLength) {
    this.#file = file;
    this.#headers = headers;
    this.#answer = answer;
    this.#known = knownTypes(file);
  }

  /**
   * Decides one: a permit with the rules in an obligation of type `filter`, or a denial of an asset that the filters remove. Every
   * asset of the same records gets the obligation that the records themselves get.
   *
   * @throws PdpRefusal 400 an asset type is not known, or the answers are too long together; 401 who asks is not known, 403 may not ask,
   *   503 other answers take the room
   */
  async decide(evaluation: Evaluation): Promise<Decision> {
    const { about, records } = evaluation;
    const known = this.#known;
    const asking = await this.#askingOf(evaluation);
    const types = typesOf(known, records ?? about, records !== undefined);
    const isAsset = records !== undefined || isAssetOf(known, about);
    const areAssets = types.length > 1 || (records === undefined && isAsset);
    const ruling = await this.#rulingOn(asking, types, areAssets);
    if (isAsset && !ruling.keeps(about.id)) return { decision: false };
    this.#answer.add(ruling.length);
    return ruling.permit;
  }

  async #askingOf({ subject, entering }: Evaluation): Promise<Asking> {
    const latest = this.#latest?.asking;
    if (latest?.subject === subject && latest.entering === entering) return latest;
    const question = {
      ...entering,
      entityTypeId: subject.type,
      entityId: subject.id,
      includeAccessPolicy: true,
      includeAssetAttributes: true,
    };
    const caller = await identifyCaller(this.#file, question, this.#headers);
    return { subject, entering, question, caller };
  }

  /** Looks at all policies of the file, unless it has for the same question. Between two such looks, the server answers others. */
  async #rulingOn(asking: Asking, types: readonly string[], areAssets: boolean): Promise<Ruling> {
    const latest = this.#latest;
    if (latest?.asking === asking && latest.areAssets === areAssets && isSame(latest.types, types))
      return latest;
    if (latest !== undefined) await turn();
    const { question, caller } = asking;
    const asked = { ...question, resourceTypes: types.map((name) => ({ name })) };
    const applying = applicable(this.#file, 'context', asked, caller);
    const permit = permitWith(documentRules(applying, areAssets));
    const { length } = JSON.stringify(permit);
    this.#countMade(length);
    const keeps = keptAssets(applying);
    return (this.#latest = { asking, types, areAssets, permit, length, keeps });
  }

  /** A denial is short, whatever it takes to find it. */
  #countMade(length: number): void {
    this.#made += length;
    if (this.#made > MAX_ANSWER) throw tooMuch();
  }
}

function tooMuch(): PdpRefusal {
  return new PdpRefusal(
    400,
    `The rules that decide the evaluations would have more than ${MAX_ANSWER} characters. Ask for less at once.`,
  );
}

function permitWith(rules: readonly unknown[]): Decision {
  const obligations = [{ id: 'masks', type: 'filter', properties: { filter: { rules } } }];
  return { decision: true, context: { obligations } };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

/** The asset types of a file. */
interface KnownTypes {
  readonly all: ReadonlySet<string>;
  /** Those of assets that policies are about. */
  readonly ofAssets: ReadonlySet<string>;
}

function knownTypes({ policies }: PolicyFile): KnownTypes {
  const ofAssets = new Set(policies.flatMap(({ assets }) => (assets === undefined ? [] : [assets.type])));
  return { all: assetTypesOf(policies), ofAssets };
}

/** The asset types that a resource names: in context mode its type is that of the assets, and its id that of the records. */
function typesOf({ all, ofAssets }: KnownTypes, { type, id }: Named, areRecords: boolean): readonly string[] {
  if (id === type) return [type];
  return all.has(id) || (areRecords && ofAssets.has(type)) ? [type, id] : [type];
}

/** Whether a resource is an asset: policies are about assets of its type, and its id is no asset type. */
function isAssetOf({ all, ofAssets }: KnownTypes, { type, id }: Named): boolean {
  return id !== type && ofAssets.has(type) && !all.has(id);
}

/** The assets whose records filters keep. The filters are looked at once, when the first asset is asked for. */
function keptAssets({ policies, terms }: Applicable): Ruling['keeps'] {
  const kept = _.once((): 'all' | ReadonlySet<string> => {
    const filters = allowingFilters(terms, true);
    if (filters.length === 0) return 'all';
    const applying = new Set(policies);
    const ofCaller = filters.filter((filter) => applying.has(filter));
    // Rules in dry run remove nothing.
    const enforced = ofCaller.filter(({ metadata }) => metadata['DRY_RUN'] === undefined);
    if (enforced.length === 0) return ofCaller.length === 0 ? new Set() : 'all';
    if (enforced.some(({ assets }) => assets === undefined || assets.ids === 'all')) return 'all';
    return new Set(enforced.flatMap(({ assets }) => assets?.ids ?? []));
  });
  return (id) => {
    const ids = kept();
    return ids === 'all' || ids.has(id);
  };
}
