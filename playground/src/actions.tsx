import { useState } from 'preact/hooks';
import { curlOf, testOf, type Outcome } from './copies.ts';
import { fragmentOf, obstacleToLink } from './permalink.ts';
import type { Explained } from './use-explained.ts';
import type { Example, Work } from './work.ts';

interface ActionsProps {
  readonly work: Work;
  /** What the first user gets. */
  readonly explained: Explained;
  readonly examples: readonly Example[];
  readonly onLoad: (work: Work, note: string) => void;
  readonly onChange: (part: Partial<Work>) => void;
}

/** The head of the page: examples, and what can be taken away. */
export function Actions({ work, explained, examples, onLoad, onChange }: ActionsProps) {
  const [said, setSaid] = useState('');
  const copy = (text: string | undefined, what: string): void => {
    if (text === undefined) return;
    void navigator.clipboard.writeText(text).then(
      () => setSaid(`${what} copied`),
      () => setSaid('The browser does not allow copying.'),
    );
  };
  const outcome = outcomeOf(explained);
  return (
    <header class="head">
      <h1>JSON masking playground</h1>
      <span class="said" role="status">
        {said}
      </span>
      <select
        class="examples"
        aria-label="Examples"
        value=""
        onChange={({ currentTarget }) => {
          const example = examples[Number(currentTarget.value)];
          currentTarget.value = '';
          if (example) onLoad(example.work, example.note);
        }}
      >
        <option value="">Examples …</option>
        {examples.map(({ title }, i) => (
          <option key={title} value={String(i)}>
            {title}
          </option>
        ))}
      </select>
      <label class="switch">
        <input
          type="checkbox"
          checked={work.isComparing}
          onChange={({ currentTarget }) => onChange({ isComparing: currentTarget.checked })}
        />
        Compare two users
      </label>
      <button
        type="button"
        onClick={() =>
          void linkTo(work).then(({ link, problem }) => (link ? copy(link, 'Link') : setSaid(problem)))
        }
      >
        Copy link
      </button>
      <button type="button" onClick={() => copy(curlOf(work, work.users[0]), 'curl command')}>
        Copy as curl
      </button>
      <button
        type="button"
        disabled={outcome === undefined}
        onClick={() => copy(outcome && testOf(work, work.users[0], outcome), 'Test')}
      >
        Copy as test
      </button>
    </header>
  );
}

interface Link {
  readonly link?: string;
  /** Why there is none. */
  readonly problem: string;
}

async function linkTo(work: Work): Promise<Link> {
  const obstacle = obstacleToLink(work);
  if (obstacle !== undefined) return { problem: obstacle };
  const fragment = await fragmentOf(work);
  if (fragment === undefined) return { problem: 'This is too much for a link.' };
  return { link: `${location.origin}${location.pathname}${fragment}`, problem: '' };
}

/** What a test expects; undefined while there is nothing to expect. */
function outcomeOf({ result, problems }: Explained): Outcome | undefined {
  const code = problems.find((problem) => problem.code !== undefined)?.code;
  if (code !== undefined) return { error: code };
  return problems.length > 0 ? undefined : result;
}
