import { ConditionTree } from './condition-tree.tsx';
import type { Change, Explanation, Lost, RecordReason, Rule } from './explanation.ts';
import type { Mark } from './merged-view.ts';
import { useContext } from 'preact/hooks';
import { LooksContext } from './rule-look.ts';
import type { Result } from './use-explained.ts';

const EFFECTS: Readonly<Record<Change['effect'], string>> = {
  masked: 'Masked',
  set: 'Set',
  created: 'Created',
  removed: 'Removed',
  unchanged: 'Unchanged',
};

interface WhyPanelProps {
  readonly result: Result | undefined;
  /** The place of the mark in the result that is explained. */
  readonly mark: number | undefined;
  /** In a few words. */
  readonly user: string | undefined;
  readonly onClose: () => void;
}

/** Why a place of a result is as it is. */
export function WhyPanel({ result, mark: index, user, onClose }: WhyPanelProps) {
  const mark = index === undefined ? undefined : result?.view.marks[index];
  return (
    <section class={mark ? 'panel why open' : 'panel why'} aria-label="Why">
      <div class="pane-head">
        <h2>Why</h2>
        <span class="aside">{mark && user}</span>
        {mark && (
          <button type="button" class="close" onClick={onClose}>
            Close
          </button>
        )}
      </div>
      <div class="body" role="status" tabIndex={0}>
        {result && mark ? (
          <Reason mark={mark} explanation={result.explanation} />
        ) : (
          <p class="hint">
            Point at a marked place in a result. With the keyboard, go to a result with Tab and from mark to
            mark with the arrow keys.
          </p>
        )}
      </div>
    </section>
  );
}

function Reason({ mark, explanation }: { readonly mark: Mark; readonly explanation: Explanation }) {
  const { change, record, pointer } = mark;
  return (
    <>
      <p class="place">
        <code>{pointer === '' ? '(the whole payload)' : pointer}</code>
      </p>
      {change && <ChangeReason change={change} rules={explanation.rules} />}
      {!change && !record && <p>Removed. The explanation does not reach this far.</p>}
      {record && <RecordRemoval record={record} rules={explanation.rules} />}
    </>
  );
}

function ChangeReason({ change, rules }: { readonly change: Change; readonly rules: readonly Rule[] }) {
  const rule = rules.find(({ id }) => id === change.rule);
  return (
    <>
      {rule ? (
        <>
          <p>
            {EFFECTS[change.effect]} by <RuleName rule={rule} />
          </p>
          <RuleFacts rule={rule} />
          {change.condition && <ConditionTree condition={change.condition} />}
        </>
      ) : (
        <p>No rule applies here.</p>
      )}
      {change.lost.length > 0 && <LostRules lost={change.lost} rules={rules} />}
    </>
  );
}

const REASONS: Readonly<Record<Lost['because'], string>> = {
  priority: 'another rule comes first',
  condition: 'its condition does not hold',
  dryRun: 'it is in dry run',
};

function LostRules({ lost, rules }: { readonly lost: readonly Lost[]; readonly rules: readonly Rule[] }) {
  return (
    <>
      <h3>Rules that lost</h3>
      <ul class="lost">
        {lost.map(({ rule: id, because, condition }) => {
          const rule = rules.find((one) => one.id === id);
          return (
            <li key={id}>
              {rule && <RuleName rule={rule} />}: {REASONS[because]}
              {rule && <RuleFacts rule={rule} />}
              {condition && <ConditionTree condition={condition} />}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function RecordRemoval({
  record,
  rules,
}: {
  readonly record: RecordReason;
  readonly rules: readonly Rule[];
}) {
  const isIdle = ({ rule: id, holds }: RecordReason['because'][number]): boolean =>
    !holds && rules.find((one) => one.id === id)?.effect === 'denied';
  // Those that deny other records come last.
  const because = record.because.toSorted((one, other) => Number(isIdle(one)) - Number(isIdle(other)));
  return (
    <>
      <p>
        {because.length === 0 ? 'Removed: no FILTER rule allows this record.' : 'This record is removed.'}
      </p>
      <ul class="lost">
        {because.map(({ rule: id, holds, condition }) => {
          const rule = rules.find((one) => one.id === id);
          return (
            <li key={id}>
              {rule && <RuleName rule={rule} />}: {filterReason(rule, holds)}
              {condition && <ConditionTree condition={condition} />}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function filterReason(rule: Rule | undefined, holds: boolean): string {
  if (rule?.effect === 'denied') return holds ? 'denies this record' : 'does not deny it';
  return holds ? 'allows this record' : 'does not allow it';
}

/** The name of a rule's policy, with its shape. */
export function RuleName({ rule }: { readonly rule: Rule }) {
  const looks = useContext(LooksContext);
  return (
    <span class="rule-name">
      <span class={`shape ${looks.ofRule(rule)}`} aria-hidden="true" />
      <b>{rule.policy}</b>
    </span>
  );
}

function RuleFacts({ rule: { action, priority, effect, dryRun, place } }: { readonly rule: Rule }) {
  return (
    <p class="facts">
      <code>{action}</code>
      {priority !== undefined && <span>priority {priority}</span>}
      {effect === 'denied' && <span>denied</span>}
      {dryRun && <span>dry run</span>}
      <span>
        at <code>{place}</code> in the decision
      </span>
    </p>
  );
}
