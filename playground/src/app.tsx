import { useEffect, useMemo, useState } from 'preact/hooks';
import { Actions } from './actions.tsx';
import { Editor } from './editor.tsx';
import { People } from './people.tsx';
import { PolicyPane } from './policy-pane.tsx';
import { Problems, problemsOf } from './problems.tsx';
import { nameOf, ResultPane } from './result-pane.tsx';
import { LooksContext, looksOf } from './rule-look.ts';
import { RulesPanel } from './rules-panel.tsx';
import { SettingsFields } from './settings-fields.tsx';
import type { Start } from './start.ts';
import { useExplained } from './use-explained.ts';
import { usePermalink } from './use-permalink.ts';
import { WhyPanel } from './why-panel.tsx';
import type { Work } from './work.ts';

/** A mark in the result of one of the users. */
interface Selection {
  readonly user: number;
  readonly mark: number;
}

/** The page. Everything that is typed is in one value; everything that is shown comes from it. */
export function App({ start }: { readonly start: Start }) {
  const [work, setWork] = useState(start.work);
  const [note, setNote] = useState(start.note);
  const [version, setVersion] = useState(0);
  const [selection, setSelection] = useState<Selection>();
  const change = (part: Partial<Work>): void => setWork((before) => ({ ...before, ...part }));
  const load = (loaded: Work, about = ''): void => {
    setWork(loaded);
    setNote(about);
    setVersion((before) => before + 1);
    setSelection(undefined);
  };
  usePermalink(work, load);
  useEffect(() => setSelection(undefined), [work.isComparing]);

  const { users, isComparing } = work;
  const one = useExplained(work, users[0], true);
  const other = useExplained(work, users[1], isComparing);
  const explained = isComparing ? [one, other] : [one];
  const looks = useMemo(
    () => looksOf(explained.flatMap(({ result }) => result?.explanation ?? [])),
    [one.result, isComparing && other.result],
  );
  const problems = explained.flatMap((each) => each.problems);
  const ofPayload = problemsOf(problems, 'payload');
  const parts = { work, problems, onChange: change };

  return (
    <div class="page">
      <Actions work={work} explained={one} examples={start.examples} onLoad={load} onChange={change} />
      <main>
        {note !== '' && <p class="lead">{note}</p>}
        <People {...parts} />
        <SettingsFields {...parts} />
        <LooksContext.Provider value={looks}>
          <div class={isComparing ? 'panes two' : 'panes'}>
            <section class="pane" aria-label="Payload">
              <div class="pane-head">
                <h2>Payload</h2>
                <span class="aside">JSON</span>
              </div>
              <Editor
                label="Payload"
                language="json"
                value={work.payload}
                version={version}
                problemLines={ofPayload.flatMap(({ line }) => line ?? [])}
                onChange={(payload) => change({ payload })}
              />
              <Problems problems={ofPayload} />
            </section>
            <PolicyPane {...parts} version={version} />
            {explained.map((each, i) => (
              <ResultPane
                key={i}
                user={users[i] ?? users[0]}
                explained={each}
                selected={selection?.user === i ? selection.mark : undefined}
                onSelect={(mark) => setSelection(mark === undefined ? undefined : { user: i, mark })}
              />
            ))}
          </div>
          <div class={isComparing ? 'below two' : 'below'}>
            <RulesPanel explained={explained} names={users.map(nameOf)} />
            <WhyPanel
              result={selection && explained[selection.user]?.result}
              mark={selection?.mark}
              user={isComparing && selection ? nameOf(users[selection.user] ?? users[0]) : undefined}
              onClose={() => setSelection(undefined)}
            />
          </div>
        </LooksContext.Provider>
      </main>
    </div>
  );
}
