import _ from 'lodash';
import {
  MASK,
  type FilterRule,
  type JsonValue,
  type PropertyRule,
  type RuleSource,
  type Rules,
} from '../../../core/index.ts';
import type { Question } from '../../../enforcement/index.ts';
import { ServiceError } from '../../../errors.ts';
import type { Answers, Message } from '../../port.ts';
import {
  accessQuestion,
  member,
  objectOf,
  type AccessQuestion,
  type AccessQuestionSettings,
} from '../../access-question.ts';
import {
  type BareDecision,
  discreet,
  type Found,
  mustBeAllowedBare,
  parseAnswer,
  type JsonPointer,
  rulesOf,
} from '../../decisions/index.ts';
import type { Protocol } from '../../protocol.ts';
import { readEvaluations, type Evaluated } from './evaluations.ts';
import { type AskedOfAll, askedOfAll, readObligations } from './obligations.ts';
import type { AuthzenKeys, MaskedProperty } from './section.ts';
import { maskOf } from './property.ts';
import { keeps } from './together.ts';

export { AUTHZEN_KEYS, problemsWithMaskKeys } from './section.ts';

/** How an AuthZEN PDP is asked. */
export interface AuthzenSettings extends AccessQuestionSettings {
  /** The evaluation endpoint, and the one for several evaluations. */
  readonly endpoints: { readonly evaluation: URL; readonly evaluations: URL };
  readonly bareDecision: BareDecision;
  readonly authzen: AuthzenKeys;
}

/** What one evaluation of a batch is about. */
interface Resource {
  readonly about: 'property' | 'asset';
  readonly type: string;
  readonly id: string;
}

/** How long what all messages or all evaluations of a question repeat may be in all, in characters. */
const MAX_REPEATED = 16 * 1024 * 1024;

const EVALUATION_PATH = '/access/v1/evaluation';

/** The endpoints at an address: one without a path gets the usual ones; else it is the first, and the second is next to it. */
export function authzenEndpoints(address: URL): AuthzenSettings['endpoints'] {
  const evaluation = new URL(address);
  if (evaluation.pathname === '/') evaluation.pathname = EVALUATION_PATH;
  const evaluations = new URL(evaluation);
  evaluations.pathname = evaluation.pathname.replace(/[^/]*$/, 'evaluations');
  return { evaluation, evaluations };
}

/** The OpenID AuthZEN Authorization API 1.0 (docs/authzen.md). */
export function authzenProtocol(settings: AuthzenSettings): Protocol {
  const asksOnce = settings.authzen.properties === undefined || settings.authzen.obligations;
  return discreet({
    ask: (question) => messagesOf(question, settings, asksOnce),
    read: (answers, question) => readAnswers(answers, question, settings, asksOnce),
    readingOf: ({ assets }) => assets?.ids,
  });
}

function messagesOf(question: Question, settings: AuthzenSettings, asksOnce: boolean): readonly Message[] {
  const asked = accessQuestion(question, settings);
  const { evaluation, evaluations } = settings.endpoints;
  const once = asksOnce ? [{ url: evaluation, body: Buffer.from(evaluationOf(asked)) }] : [];
  const batches = batchesOf(question, settings);
  mustBeRepeatable(asked, batches);
  const messages = batches.map((batch) => ({
    url: evaluations,
    // Made when it is sent: each message has all of `vendor`.
    get body() {
      return Buffer.from(evaluationsOf(asked, batch));
    },
  }));
  return [...once, ...messages];
}

/** @throws ServiceError `request-invalid` if the members that each of several messages has, or the types that each evaluation has, are too long */
function mustBeRepeatable(asked: AccessQuestion, batches: readonly (readonly Resource[])[]): void {
  const length = Object.values(asked).reduce((sum: number, text: string) => sum + text.length, 0);
  const times = batches.length;
  if (times > 1 && length * times > MAX_REPEATED) throw tooLong('/vendor', 'batch of evaluations');
  let types = 0;
  for (const { about, type } of batches.flat()) {
    types += type.length;
    if (types > MAX_REPEATED)
      throw tooLong(`/parameters/${about === 'asset' ? 'protectedObject' : 'assetType'}`, 'evaluation');
  }
}

function tooLong(pointer: string, repeatedIn: string): ServiceError {
  const detail = `It is too long to be sent once for each ${repeatedIn}.`;
  return new ServiceError('request-invalid', `The question to the PDP cannot be built: ${detail}`, {
    errors: [{ pointer, detail }],
  });
}

function evaluationOf({ subject, action, resource, context }: AccessQuestion): string {
  const members = { subject, action, resource, context };
  return objectOf(Object.entries(members).map(([name, text]) => member(name, text)));
}

/**
 * Each evaluation has a different resource id: some PDPs answer all evaluations of one id with the decision of the
 * first. Next to assets, the resource of the request says what their records are.
 */
function evaluationsOf(asked: AccessQuestion, batch: readonly Resource[]): string {
  const { subject, action, resource, context } = asked;
  const areAssets = batch.some(({ about }) => about === 'asset');
  const members = { subject, action, ...(areAssets && { resource }), context };
  return objectOf([
    ...Object.entries(members).map(([name, text]) => member(name, text)),
    member('evaluations', JSON.stringify(batch.map(({ type, id }) => ({ resource: { type, id } })))),
    member('options', JSON.stringify({ evaluations_semantic: 'execute_all' })),
  ]);
}

/** Properties and assets go into separate batches, because a property and an asset may have the same id. */
function batchesOf(question: Question, { authzen }: AuthzenSettings): readonly (readonly Resource[])[] {
  const { assets, settings } = question;
  const properties = (authzen.properties ?? []).map(({ path }): Resource => ({
    about: 'property',
    type: settings.assetType,
    id: path,
  }));
  const records = (assets?.ids ?? []).map((id): Resource => ({
    about: 'asset',
    type: assets?.type ?? '',
    id,
  }));
  return [properties, records].flatMap((resources) => inBatches(resources, authzen.batch));
}

function inBatches<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_one, i) => items.slice(i * size, (i + 1) * size));
}

function readAnswers(
  answers: Answers,
  question: Question,
  settings: AuthzenSettings,
  asksOnce: boolean,
): Rules {
  const values = answers.map(parseAnswer);
  const [single, ...others] = values;
  const ours = asksOnce && single !== undefined ? readObligations(single, question) : [];
  const ofAll = asksOnce && single !== undefined ? askedOfAll(single) : undefined;
  const evaluated = readBatches(asksOnce ? others : values, batchesOf(question, settings), ofAll);
  if (answers.length === 0 && question.assets === undefined)
    mustBeAllowedBare(
      settings.bareDecision,
      'Nothing was asked of the PDP, because authzen.properties is empty',
    );
  // Also next to evaluations: a permit that lacks its masks must not show everything that they do not hide.
  if (ours === undefined) mustBeAllowedBare(settings.bareDecision);
  return combined(ours ?? [], evaluated, question, settings);
}

function readBatches(
  answers: readonly JsonValue[],
  batches: readonly (readonly Resource[])[],
  ofAll: AskedOfAll | undefined,
): readonly Evaluated<Resource>[] {
  return batches.flatMap((batch, i) => readEvaluations(answers[i], batch, ofAll));
}

function combined(
  ours: readonly Found[],
  evaluated: readonly Evaluated<Resource>[],
  question: Question,
  { authzen }: AuthzenSettings,
): Rules {
  const denied = evaluated.filter(({ isAllowed, of }) => !isAllowed && of.about === 'property');
  const placeOf = new Map(denied.map(({ of, place }) => [of.id, place]));
  const hidden = (authzen.properties ?? []).flatMap((one) => {
    const place = placeOf.get(one.path);
    return place === undefined ? [] : [propertyRule(one, place, question)];
  });
  const filters = assetFilters(evaluated, ours, question).map((filter) => ({ filter }));
  const { properties, ...rules } = rulesOf([...ours, ...filters], question.settings);
  // Denied rules mask all of a property, and so does MASK, whatever an obligation says. Any other action hides a part only: an
  // obligation has to be fulfilled.
  const [first, others] = _.partition(properties, ({ source }) => source.effect === 'denied');
  const [whole, partly] = _.partition(hidden, ({ action }) => action === MASK);
  return { ...rules, properties: [...first, ...whole, ...others, ...partly] };
}

function ofEvaluations(effect: RuleSource['effect']): RuleSource {
  return { place: ['evaluations'], action: 'FILTER', priority: undefined, effect };
}

/** A record of which an asset is denied goes; one without an asset that is allowed goes too, unless obligations decide. */
function assetFilters(
  evaluated: readonly Evaluated<Resource>[],
  ours: readonly Found[],
  { settings, assets }: Question,
): readonly FilterRule[] {
  if (!settings.filter || assets === undefined) return [];
  const about = evaluated.filter(({ of }) => of.about === 'asset');
  const idsOf = (isAllowed: boolean) =>
    new Set(about.filter((one) => one.isAllowed === isAllowed).map(({ of }) => of.id));
  const origin = { policies: [], condition: { kind: 'all' as const, of: [] } };
  const deny: FilterRule = {
    ...origin,
    source: ofEvaluations('denied'),
    effect: 'deny',
    assetIds: idsOf(false),
  };
  const allow: FilterRule = {
    ...origin,
    source: ofEvaluations('allowed'),
    effect: 'allow',
    assetIds: idsOf(true),
  };
  return ours.some(keeps) ? [deny] : [deny, allow];
}

function propertyRule(property: MaskedProperty, place: JsonPointer, { keys }: Question): PropertyRule {
  const source: RuleSource = { place, action: property.action, priority: undefined, effect: 'denied' };
  return { source, policies: [], assetIds: undefined, ...maskOf(property, keys) };
}
