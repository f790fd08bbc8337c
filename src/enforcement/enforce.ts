import { RecordAttribute, Subject, type JsonPart } from '../core/index.ts';
import { apply, applying, type Enforced, type Target } from './apply.ts';
import { FoundAssets, findAssetIds } from './assets.ts';
import { now } from './clock.ts';
import type { Rest } from './event-loop-scheduler.ts';
import type { Intent } from './intent.ts';
import { readPayload, sizeOf, type Payload } from './payload.ts';
import type { Ports } from './ports.ts';
import type { Assets, Decision } from './question.ts';
import { reserveFor } from './reserve.ts';
import { findRoots, type Roots } from './roots.ts';
import { settingsFor, type IntentSettings } from './settings.ts';

/** A payload that is no larger, in bytes, is changed in one turn; so it is read if the decision is known. */
const SMALL = 64 * 1024;

/**
 * Enforces on one payload what the PDP decides about an intent. A place of enforcement uses it in three steps:
 *
 * 1. It reads an {@link Intent}: `intentFrom` from texts, `readIntent` from parts of a scanned document.
 * 2. It may call {@link ask} before the payload has arrived, and pass on the intent that `ask` returns. The same intent
 *    serves any number of payloads.
 * 3. It calls `enforce` for each payload, and sends the result or maps the error. After an error it sends no payload.
 *
 * Its synchronous work takes turns with that of other requests.
 *
 * @throws ServiceError with a code of docs/errors.md
 */
export async function enforce(payload: Payload, intent: Intent, ports: Ports): Promise<Enforced> {
  return enforceSoon(payload, intent, ports);
}

/** As {@link enforce}; gives the result itself, or throws at once, if nothing has to be waited for. */
export function enforceSoon(payload: Payload, intent: Intent, ports: Ports): Enforced | Promise<Enforced> {
  const size = sizeOf(payload);
  const begun = ports.scheduler.runSoon<Enforced | Begun>(size, () => begin(payload, size, intent, ports));
  return 'payload' in begun ? begun : goOn(begun, size, intent, ports);
}

/** What is enforced on, and the decision if it is asked for already. */
interface Begun extends Target {
  readonly decision?: Promise<Decision>;
}

/** Reads the payload. If the decision is there and the payload is small, the rest follows in the same turn. */
function begin(
  payload: Payload,
  size: number,
  intent: Intent,
  ports: Ports,
): Enforced | Rest<Enforced> | Begun {
  const target = readTarget(payload, intent, ports);
  if (size > SMALL) return target;
  const decision = decisionFor(intent, target, ports);
  return decision instanceof Promise
    ? { ...target, decision }
    : apply({ decision, waited: 0 }, target, intent, ports);
}

async function goOn(
  begun: Begun | Promise<Enforced | Begun>,
  size: number,
  intent: Intent,
  ports: Ports,
): Promise<Enforced> {
  const target = await begun;
  if ('payload' in target) return target;
  const asked = now();
  const decision = await (target.decision ?? decisionFor(intent, target, ports));
  const waited = now() - asked;
  // Many large decisions may have come at once, and wait for their turns.
  ports.room.reserve(decision.fingerprint.length);
  const decided = { decision, waited };
  const { scheduler } = ports;
  return size <= SMALL && decision.fingerprint.length <= SMALL
    ? scheduler.runSoon(size, () => apply(decided, target, intent, ports))
    : scheduler.runInSteps(size, applying(decided, target, intent, ports));
}

function decisionFor(
  intent: Intent,
  { assets, settings }: Target,
  ports: AskingPorts,
): Decision | Promise<Decision> {
  return intent.decided?.() ?? intent.decision ?? decide(intent, settings, assets, ports);
}

function readTarget(payload: Payload, intent: Intent, { settings, signal, room }: Ports): Target {
  signal?.throwIfAborted();
  const { parameters } = intent;
  const json = readPayload(payload, settings.maxDepth);
  reserveFor(json.doc, room);
  const roots = findRoots(json, parameters.root, settings.rootWord);
  const assets = assetsOf(json, roots, intent);
  if (assets !== undefined) reserveFor(json.doc, room, assets.length);
  return { json, roots, assets, settings: settingsFor(parameters, settings) };
}

/**
 * Asks the PDP ahead of the payload. If the question needs the payload's asset identifiers, it does nothing and `enforce` asks.
 *
 * @returns the intent with its decision; if it has none, `enforce` reports why
 */
export function ask(intent: Intent, ports: AskingPorts): Intent {
  if (needsAssets(intent)) return intent;
  const askedAt = now();
  const decision = decideAhead(intent, ports);
  if (!(decision instanceof Promise)) return { ...intent, decision, askedAt, decided: () => decision };
  let decided: Decision | undefined;
  decision.then(
    (one) => (decided = one),
    () => undefined,
  );
  return { ...intent, decision, askedAt, decided: () => decided };
}

/** A problem is reported by `enforce`. */
function decideAhead(intent: Intent, ports: AskingPorts): Decision | Promise<Decision> {
  try {
    return decide(intent, settingsFor(intent.parameters, ports.settings), undefined, ports);
  } catch (error) {
    return Promise.reject(error);
  }
}

type AskingPorts = Pick<Ports, 'pdp' | 'settings' | 'keys' | 'signal'>;

function decide(
  { parameters, vendor, headers, claims }: Intent,
  settings: IntentSettings,
  assets: Assets | undefined,
  { pdp, keys, signal }: Pick<Ports, 'pdp' | 'keys' | 'signal'>,
): Decision | Promise<Decision> {
  const question = {
    calculationType: parameters.calculationType,
    headers,
    vendor,
    claims,
    assets,
    settings,
    keys,
    signal,
  };
  return pdp.decideSoon === undefined ? pdp.decide(question) : pdp.decideSoon(question);
}

function needsAssets({ parameters }: Intent): boolean {
  return parameters.calculationType === 'context';
}

function assetsOf(payload: JsonPart, roots: Roots, intent: Intent): FoundAssets | undefined {
  const { assetId, protectedObject } = intent.parameters;
  if (!needsAssets(intent) || protectedObject === undefined || assetId === undefined) return undefined;
  const subject = new Subject(payload.doc, payload.node, roots.places);
  return new FoundAssets(protectedObject, findAssetIds(subject, new RecordAttribute(assetId, roots.frame)));
}
