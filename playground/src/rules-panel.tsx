import type { Explained } from './use-explained.ts';
import { RuleName } from './why-panel.tsx';

/** The rules of the decisions, with how often each reached a value and how often it was applied. */
export function RulesPanel({
  explained,
  names,
}: {
  readonly explained: readonly Explained[];
  readonly names: readonly string[];
}) {
  return (
    <section class="panel rules-panel" aria-label="Rules">
      <div class="pane-head">
        <h2>Rules</h2>
        <span class="aside">applied / reached</span>
      </div>
      <div class={`body rules ${explained.length > 1 ? 'two' : ''}`} tabIndex={0}>
        {explained.map(({ result }, i) => (
          <div key={i}>
            {explained.length > 1 && <h3>{names[i]}</h3>}
            <ul>
              {result?.explanation.rules.map((rule) => (
                <li key={rule.id} class={rule.applied > 0 ? '' : 'idle'}>
                  <span>
                    <RuleName rule={rule} />
                    <code class="action">{rule.action}</code>
                    {rule.dryRun && <span class="tag">dry run</span>}
                  </span>
                  <span class="counts">
                    {rule.applied} / {rule.reached}
                  </span>
                </li>
              ))}
            </ul>
            {result?.explanation.rules.length === 0 && <p class="hint">The decision has no rules.</p>}
          </div>
        ))}
      </div>
    </section>
  );
}
