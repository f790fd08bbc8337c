import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { readAnswer, type Answer, type Problem } from './answer.ts';
import { placesOf, type Explanation } from './explanation.ts';
import { mergedView, type MergedView } from './merged-view.ts';
import { explainRequest } from './request.ts';
import type { User, Work } from './work.ts';

/** What a user gets, explained. */
export interface Result {
  readonly explanation: Explanation;
  readonly payload: string;
  readonly view: MergedView;
}

export interface Explained {
  /** The last that worked; undefined before the first. */
  readonly result: Result | undefined;
  /** What keeps the work as it is now from a result; empty if nothing does. */
  readonly problems: readonly Problem[];
}

/** How long typing has to pause before the server is asked while it still answers, in milliseconds. */
const PAUSE = 25;

const NOTHING: Explained = { result: undefined, problems: [] };

/** Asks the server what a user gets, again whenever the work changes. The result stays until there is a new one. */
export function useExplained(work: Work, user: User, isWanted: boolean): Explained {
  const [explained, setExplained] = useState(NOTHING);
  const request = useMemo(() => explainRequest(work, user), [work, user]);
  const isAsking = useRef(false);

  useEffect(() => {
    if (!isWanted) return undefined;
    const abort = new AbortController();
    const update = async (): Promise<void> => {
      isAsking.current = true;
      const answer = await ask(request, work, abort.signal);
      if (abort.signal.aborted) return;
      isAsking.current = false;
      setExplained((before) => next(before, answer, work.payload));
    };
    const pause = setTimeout(() => void update(), isAsking.current ? PAUSE : 0);
    return () => {
      clearTimeout(pause);
      abort.abort();
    };
  }, [request, isWanted]);

  return explained;
}

function next(before: Explained, answer: Answer, sent: string): Explained {
  if ('problems' in answer) return { ...before, problems: answer.problems };
  const { explanation, payload } = answer;
  return {
    result: { explanation, payload, view: mergedView(sent, payload, placesOf(explanation)) },
    problems: [],
  };
}

async function ask(body: string, work: Work, signal: AbortSignal): Promise<Answer> {
  try {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch('/explain', { method: 'POST', headers, body, signal });
    const text = await response.text();
    if (response.ok) return readAnswer(text, work[work.source]);
    return failure(`The playground answers with status ${response.status}.`);
  } catch {
    return failure('The playground does not answer. Is it still running?');
  }
}

function failure(message: string): Answer {
  return { problems: [{ part: 'settings', message }] };
}
