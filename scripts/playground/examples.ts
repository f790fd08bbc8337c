import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NEW_WORK, NO_SETTINGS, type Example, type Settings, type Work } from '../../playground/src/work.ts';
import { excerpt } from '../demo/excerpt.ts';
import { readJson } from '../demo/json.ts';
import { outline } from '../demo/outline.ts';
import { policyLines } from '../demo/policies.ts';
import type { Sample } from '../demo/samples.ts';
import { SCENARIOS, type Scenario } from '../demo/scenarios.ts';
import { USERS } from '../demo/users.ts';
import { DECISION_EXAMPLE, RULES_EXAMPLE } from './other-sources.ts';

const EXAMPLES = path.resolve(import.meta.dirname, '../../examples');
const POLICIES = readExample('policies/demo.yaml');
/** The introduction is for readers of the file. */
const WITHOUT_INTRODUCTION = POLICIES.replace(/^(?:#.*\n)+\n*/u, '');

/** The users of the demo. */
const [JANE, MAX] = USERS.map(({ entityTypeId, entityId }) => ({ entityTypeId, entityId, claims: '' }));

/** The gallery of the playground: the bank as a whole, each scenario of the demo by itself, and the other ways to decide. */
export function examples(): readonly Example[] {
  return [
    {
      title: 'A bank: everything at once',
      note: 'Jane, an agent for North America, looks at four customers.',
      work: {
        ...demoWork(),
        policies: WITHOUT_INTRODUCTION,
        payload: readExample('payloads/customers.json'),
      },
    },
    ...SCENARIOS.map(exampleOf),
    RULES_EXAMPLE,
    DECISION_EXAMPLE,
  ];
}

function demoWork(): Work {
  return { ...NEW_WORK, users: [JANE ?? NEW_WORK.users[0], MAX ?? NEW_WORK.users[1]] };
}

function exampleOf(scenario: Scenario): Example {
  const { title, policy, note, sample, policies } = scenario;
  const payload = readExample(`payloads/${sample.payload}.json`);
  const isWhole = policies.length === 0;
  const written = isWhole ? WITHOUT_INTRODUCTION : policyFile(policies);
  return {
    title,
    note: [policy, note ?? ''].join(' ').trim(),
    work: {
      ...demoWork(),
      policies: written,
      payload: isWhole ? payload : linesOf(excerpt(readJson(payload), scenario)),
      isComparing: true,
      settings: { ...settingsOf(sample), mapper: scenario.mapper ?? '' },
    },
  };
}

/** Only the policies of a scenario, as they are written in the demo's file. */
function policyFile(names: readonly string[]): string {
  const blocks = names.map((name) =>
    policyLines([name])
      .map((line) => `  ${line}\n`)
      .join(''),
  );
  return `policies:\n${blocks.join('\n')}`;
}

function settingsOf({ parameters }: Sample): Settings {
  return { ...NO_SETTINGS, ...parameters };
}

function linesOf(value: Parameters<typeof outline>[0]): string {
  return outline(value)
    .map(({ text }) => `${text}\n`)
    .join('');
}

function readExample(file: string): string {
  return readFileSync(path.join(EXAMPLES, file), 'utf8');
}
