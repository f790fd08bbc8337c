import type { Explanation } from './explanation.ts';
import { useContext, useMemo } from 'preact/hooks';
import { LooksContext } from './rule-look.ts';
import { ResultView } from './result-view.tsx';
import type { Explained } from './use-explained.ts';
import type { User } from './work.ts';

interface ResultPaneProps {
  readonly user: User;
  readonly explained: Explained;
  readonly selected: number | undefined;
  readonly onSelect: (mark: number | undefined) => void;
}

const EMPTY = { text: '', marks: [] };

/** What a user gets. While something is wrong, the last result stays, on a hatched ground. */
export function ResultPane({ user, explained, selected, onSelect }: ResultPaneProps) {
  const { result, problems } = explained;
  const looks = useContext(LooksContext);
  const looksOfMarks = useMemo(
    () => (result ? looks.ofMarks(result.view.marks, result.explanation) : []),
    [result, looks],
  );
  const isStale = problems.length > 0;
  const title = nameOf(user);
  const label = `What ${title} gets`;
  return (
    <section class="pane result" aria-label={label}>
      <div class="pane-head">
        <h2>{title}</h2>
        <span class={isStale ? 'aside warning' : 'aside'} role="status">
          {isStale ? 'not up to date' : result && countsOf(result.explanation)}
        </span>
      </div>
      <div class={isStale ? 'editor stale' : 'editor'}>
        <ResultView
          label={label}
          result={result?.view ?? EMPTY}
          looks={looksOfMarks}
          selected={selected}
          onSelect={onSelect}
        />
      </div>
    </section>
  );
}

/** A user in a few words. */
export function nameOf({ entityTypeId, entityId }: User): string {
  if (entityId === '') return entityTypeId === '' ? 'an unknown user' : `a ${entityTypeId}`;
  return entityTypeId === '' ? entityId : `${entityId} (${entityTypeId})`;
}

function countsOf({ changes, records, truncated }: Explanation): string {
  const changed = changes.filter(({ effect }) => effect !== 'unchanged').length;
  const removed = records.filter(({ kept }) => !kept).length;
  const summary = `${changed} changed${removed > 0 ? `, ${removed} ${removed === 1 ? 'record' : 'records'} removed` : ''}`;
  return truncated ? `${summary} (explained in part)` : summary;
}
