import type { Part, Problem } from './answer.ts';

/** The problems of a part, each once: two users often have the same. */
export function problemsOf(problems: readonly Problem[], part: Part): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter((problem) => {
    const key = `${problem.line ?? ''} ${problem.message}`;
    const isNew = problem.part === part && !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** A list of problems, read out as it changes. */
export function Problems({ problems }: { readonly problems: readonly Problem[] }) {
  return (
    <div role="status">
      {problems.length > 0 && (
        <ul class="problems">
          {problems.map(({ line, message }) => (
            <li key={`${line ?? ''} ${message}`}>
              {line !== undefined && <b>Line {line}: </b>}
              {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
