import type { Problem } from './answer.ts';
import { Editor } from './editor.tsx';
import { Problems, problemsOf } from './problems.tsx';
import { SOURCES, type SourceKind, type Work } from './work.ts';

const TITLES: Readonly<Record<SourceKind, string>> = {
  policies: 'Policy file',
  decision: 'PDP decision',
  rules: 'Rules document',
};

interface PolicyPaneProps {
  readonly work: Work;
  readonly version: number;
  readonly problems: readonly Problem[];
  readonly onChange: (part: Partial<Work>) => void;
}

/** What decides: an editor for one of the three forms, and what is wrong with it. */
export function PolicyPane({ work, version, problems, onChange }: PolicyPaneProps) {
  const { source } = work;
  const found = problemsOf(problems, 'policies');
  return (
    <section class="pane" aria-label="Policies">
      <div class="pane-head">
        <h2 class="hidden">Policies</h2>
        <select
          aria-label="What decides"
          value={source}
          onChange={({ currentTarget: { value } }) =>
            onChange({ source: SOURCES.find((one) => one === value) ?? 'policies' })
          }
        >
          {SOURCES.map((one) => (
            <option key={one} value={one}>
              {TITLES[one]}
            </option>
          ))}
        </select>
        <span class="aside">{source === 'policies' ? 'YAML' : 'JSON'}</span>
      </div>
      <Editor
        key={source}
        label={TITLES[source]}
        language={source === 'policies' ? 'yaml' : 'json'}
        value={work[source]}
        version={version}
        problemLines={found.flatMap(({ line }) => line ?? [])}
        onChange={(text) => onChange({ [source]: text })}
      />
      <Problems problems={found} />
    </section>
  );
}
