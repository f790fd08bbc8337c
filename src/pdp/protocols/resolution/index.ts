import { NO_MASK_KEYS, type MaskKeys, type Rules } from '../../../core/index.ts';
import type { Decision, DecisionSettings } from '../../../enforcement/index.ts';
import { onlyAnswer, type Protocol } from '../../protocol.ts';
import { discreet, KnownRules, readDecision, validityOf } from '../../decisions/index.ts';
import { buildPdpRequest } from './question.ts';

/** The endpoints of the two kinds of questions. */
export interface ResolutionEndpoints {
  readonly resolution: URL;
  readonly token: URL;
}

/** A decision in the protocol of the specification, which is read when its rules are asked for. */
export function decisionFrom(
  answer: Uint8Array,
  settings: DecisionSettings,
  keys = NO_MASK_KEYS,
  known?: KnownRules,
): Decision {
  return new AnsweredDecision(answer, settings, keys, known);
}

class AnsweredDecision implements Decision {
  readonly fingerprint: Uint8Array;
  readonly #settings: DecisionSettings;
  readonly #keys: MaskKeys;
  readonly #known: KnownRules | undefined;

  constructor(answer: Uint8Array, settings: DecisionSettings, keys: MaskKeys, known: KnownRules | undefined) {
    this.fingerprint = answer;
    this.#settings = settings;
    this.#keys = keys;
    this.#known = known;
  }

  get rules(): Rules {
    return readDecision(this.fingerprint, this.#settings, this.#keys, this.#known);
  }
}

/** The protocol of the specification: the caller's parameters go to one of two endpoints. */
export function resolutionProtocol(endpoints: ResolutionEndpoints): Protocol {
  const known = new KnownRules();
  return discreet({
    ask({ calculationType, vendor, assets, settings }) {
      const url = calculationType === 'context' ? endpoints.token : endpoints.resolution;
      return [{ url, body: buildPdpRequest(vendor, { assetType: settings.assetType, assets }) }];
    },
    read: (answers, { settings, keys }) => readDecision(onlyAnswer(answers), settings, keys, known),
    validityOf: (answers) => validityOf(onlyAnswer(answers)),
  });
}
