import { expect, test } from '@jest/globals';
import { comparable } from '../../core/comparable.ts';
import { coreEnforce } from '../../core/core.ts';
import { referenceEnforce, type EnforcementAnswer, type EnforcementProblem } from '../enforce.ts';
import { compact } from '../print.ts';

/** One interpretation of the pages: a payload, a decision, and what comes back. */
export interface Row {
  readonly name: string;
  readonly json: string;
  /** One part of the decision's `response`, or the text of a whole decision. */
  readonly says: object | string;
  /** The payload that comes back, or the status. */
  readonly gives: string | number;
  /** The lines of dry runs, if they matter. */
  readonly logs?: readonly string[];
  readonly root?: string;
  readonly config?: EnforcementProblem['config'];
  readonly parameters?: EnforcementProblem['parameters'];
}

const CONFIG = {
  attrName: 'column',
  object: 'table',
  maskString: '***',
  filter: true,
  filterDefault: 'allow',
} as const;

/** Asks each row of the reference and of the product's core. */
export function interpretations(title: string, rows: readonly Row[]): void {
  const titled = rows.map((row) => ({ row, title: `${title} › ${row.name}` }));
  test.each(titled)('$title: the reference', ({ row }) => {
    const answer = referenceEnforce(problemOf(row));
    expect(shown(answer)).toEqual(expectedOf(row, answer));
  });
  test.each(titled)('$title: the core', async ({ row }) => {
    const answer = await coreEnforce(problemOf(row));
    expect(shown(answer)).toEqual(expectedOf(row, answer));
  });
}

/** Without lines in the row, those of the answer are right. */
function expectedOf({ gives, logs }: Row, answer: EnforcementAnswer): unknown {
  if (typeof gives === 'number') return gives;
  const dryRun = logs ?? (answer.status === 200 ? answer.dryRun : []);
  return shown({ status: 200, text: compact(gives), dryRun });
}

/** What of an answer is compared. */
function shown(answer: EnforcementAnswer): unknown {
  return answer.status === 200 ? comparable(answer) : answer.status;
}

function problemOf({ json, says, root, config, parameters }: Row): EnforcementProblem {
  return {
    config: { ...CONFIG, ...config },
    parameters: { ...(root === undefined ? {} : { root }), ...parameters },
    vendor: { entityId: 'jane' },
    jsonText: json,
    decision: { response: [says] },
    decisionText: typeof says === 'string' ? says : undefined,
  };
}

/** An access entry. */
export function entry(names: string | readonly string[], action = 'MASK', more: object = {}): object {
  return {
    path: 'p',
    resourceType: 'columns',
    attributes: { column: names },
    actions: [{ action }],
    ...more,
  };
}

/** Access entries, each for the default mask or as given. */
export function access(...entries: readonly (string | object)[]): object {
  return { access: entries.map((one) => (typeof one === 'string' ? entry(one) : one)) };
}

export function allowed(...actions: readonly object[]): object {
  return { privileges: { allowed: [{ resourceType: 'columns', actions }], denied: [] } };
}

export function denied(...actions: readonly object[]): object {
  return { privileges: { allowed: [], denied: [{ resourceType: 'columns', actions }] } };
}

/** An action of a privilege under a condition. */
export function when(tree: object, action = 'MASK', more: object = {}): object {
  return { action, 'asset-attributes-filter': tree, ...more };
}

export function leaf(attribute: string, operator: string, values: string | string[], more = {}): object {
  return { attribute, operator, values, ...more };
}

export function column(operator: string, ...values: string[]): object {
  return leaf('column', operator, values);
}

export function table(operator: string, ...values: string[]): object {
  return leaf('table', operator, values);
}

export const DRY = { policies: [{ name: 'Dry', metadata: { DRY_RUN: 'id' } }] };

export function skipped(id: string): string {
  return `Enforcement by Policy Dry on id ${id} was skipped for User jane`;
}
