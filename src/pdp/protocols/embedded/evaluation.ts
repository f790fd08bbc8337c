import type { HeaderFields } from '../../port.ts';
import type { PolicyFile } from '../../policies/index.ts';
import { requireAnswerFits } from './answer-length.ts';
import { applicable, type Applicable } from './evaluate.ts';
import type { Caller } from './caller.ts';
import { identifyCaller } from './identify.ts';
import type { Question } from './question.ts';
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
interface Ruling extends Applicable {
  readonly asking: Asking;
  readonly types: readonly string[];
  readonly areAssets: boolean;
  readonly permit: Decision;
  /** How long the permit is as JSON, in characters. */
  readonly length: number;
}

/**
 * Decides the evaluations of a request, one after the other. What one has in common with the one before is not looked at again: there
 * may be a thousand of one user.
 */
export class Evaluations {
  readonly #file: PolicyFile;
  readonly #headers: HeaderFields;
  #latest: Ruling | undefined;
  #length = 0;

  constructor(file: PolicyFile, headers: HeaderFields) {
    this.#file = file;
    this.#headers = headers;
  }

  /**
   * Decides one: a permit with the rules in an obligation of type `filter`, or a denial of an asset that the filters remove. Every
   * asset of the same records gets the obligation that the records themselves get.
   *
   * @throws PdpRefusal 400 an asset type is not known, or the answers are too long together; 401 who asks is not known, 403 may not ask
   */
  async decide(evaluation: Evaluation): Promise<Decision> {
    const { about, records } = evaluation;
    const file = this.#file;
    const asking = await this.#askingOf(evaluation);
    const types = typesOf(file, records ?? about, records !== undefined);
    const isAsset = records !== undefined || isAssetOf(file, about);
    const areAssets = types.length > 1 || (records === undefined && isAsset);
    const ruling = this.#rulingOn(asking, types, areAssets);
    if (isAsset && !keepsAsset(about.id, ruling)) return { decision: false };
    this.#length += ruling.length;
    requireAnswerFits(this.#length);
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

  #rulingOn(asking: Asking, types: readonly string[], areAssets: boolean): Ruling {
    const latest = this.#latest;
    if (latest?.asking === asking && latest.areAssets === areAssets && isSame(latest.types, types))
      return latest;
    const { question, caller } = asking;
    const asked = { ...question, resourceTypes: types.map((name) => ({ name })) };
    const applying = applicable(this.#file, 'context', asked, caller);
    const permit = permitWith(documentRules(applying, areAssets));
    const { length } = JSON.stringify(permit);
    return (this.#latest = { ...applying, asking, types, areAssets, permit, length });
  }
}

function permitWith(rules: readonly unknown[]): Decision {
  const obligations = [{ id: 'masks', type: 'filter', properties: { filter: { rules } } }];
  return { decision: true, context: { obligations } };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

/** The asset types that a resource names: in context mode its type is that of the assets, and its id that of the records. */
function typesOf(file: PolicyFile, { type, id }: Named, areRecords: boolean): readonly string[] {
  if (id === type) return [type];
  return isAssetType(file, id) || (areRecords && hasAssets(file, type)) ? [type, id] : [type];
}

/** Whether a resource is an asset: policies are about assets of its type, and its id is no asset type. */
function isAssetOf(file: PolicyFile, { type, id }: Named): boolean {
  return id !== type && hasAssets(file, type) && !isAssetType(file, id);
}

function hasAssets({ policies }: PolicyFile, type: string): boolean {
  return policies.some(({ assets }) => assets?.type === type);
}

function isAssetType({ policies }: PolicyFile, name: string): boolean {
  return policies.some(({ assetType, assets }) => assetType === name || assets?.type === name);
}

/** Whether the record of an asset stays, as far as its identifier decides that; conditions are in the obligation. */
function keepsAsset(id: string, { policies, terms }: Applicable): boolean {
  const filters = allowingFilters(terms, true);
  if (filters.length === 0) return true;
  const applying = filters.filter((filter) => policies.includes(filter));
  if (applying.length === 0) return false;
  // Rules in dry run remove nothing.
  const enforced = applying.filter(({ metadata }) => metadata['DRY_RUN'] === undefined);
  return (
    enforced.length === 0 ||
    enforced.some(({ assets }) => assets === undefined || assets.ids === 'all' || assets.ids.includes(id))
  );
}
