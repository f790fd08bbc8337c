import { readRules, rulesOf } from '../../src/pdp/decisions/rules-document/read.ts';
import { Combinations } from '../../src/pdp/decisions/resolution/combinations.ts';
import { parseAnswer } from '../../src/pdp/decisions/json-answer.ts';
import { readDecision } from '../../src/pdp/decisions/resolution/decision.ts';
import type { Rules } from '../../src/core/rule.ts';
import type { Frame } from '../../src/core/plan/frame.ts';
import { Plan } from '../../src/core/plan/plan.ts';
import { SETTINGS } from '../core/core.ts';
import { timed } from '../measure/contestant.ts';
import { inTurn, measurePaired, type Effort } from '../measure/paired.ts';
import {
  conditionalMasks,
  conditionalMasksInRules,
  maskOnly,
  maskOnlyInRules,
  PROPERTIES,
} from '../payloads/decision.ts';
import type { ProtocolsResult } from '../report/results.ts';

interface ReadingCase {
  readonly rules: string;
  readonly decision: string;
  /** The rules of a rules document that asks the same. */
  readonly document: readonly object[];
}

const MANY = 200;
const NUMBERED = Array.from({ length: MANY }, (_, index) => `field${index}`);

const CASES: readonly ReadingCase[] = [
  ...[PROPERTIES.slice(0, 1), PROPERTIES.slice(0, 4), PROPERTIES, NUMBERED].map((properties) => ({
    rules: properties.length === 1 ? '1 rule' : `${properties.length} rules`,
    decision: maskOnly(properties),
    document: maskOnlyInRules(properties),
  })),
  { rules: '20 conditional rules', decision: conditionalMasks(20), document: conditionalMasksInRules(20) },
];

const FRAME: Frame = { isJsonNamed: true, rootWord: undefined };
const QUESTION = { settings: SETTINGS, assets: undefined, keys: new Map() };

/** Measures what it takes from the bytes of an answer to a plan: of a rules document, and of a decision with the same rules. */
export function measureReading(
  effort: Effort,
  say: (line: string) => void,
): Promise<ProtocolsResult['reading']> {
  return inTurn(CASES, async ({ rules, decision, document }) => {
    const answers = { decision: Buffer.from(decision), document: Buffer.from(JSON.stringify(document)) };
    const timings = await measurePaired(
      [
        timed('rules document', () => planOf(rulesIn(answers.document))),
        timed('decision', () => planOf(readDecision(answers.decision, SETTINGS))),
      ],
      effort,
    );
    say(`reading ${rules}: ${timings[1]?.ratio.toFixed(2)}`);
    return { rules, timings };
  });
}

function rulesIn(document: Buffer): Rules {
  return rulesOf(
    readRules(parseAnswer(document), { ...QUESTION, combinations: new Combinations() }, []),
    SETTINGS,
  );
}

function planOf(rules: Rules): Plan {
  return new Plan(rules, FRAME, SETTINGS);
}
