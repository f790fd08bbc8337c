import { useEffect, useRef } from 'preact/hooks';
import { fragmentOf, obstacleToLink, workFrom } from './permalink.ts';
import type { Work } from './work.ts';

/** How long the work has to rest before the address follows it, in milliseconds: browsers limit how often it may change. */
const PAUSE = 400;

/** Keeps the address a link to the work, and loads the work of a link that is opened. */
export function usePermalink(work: Work, onLoad: (work: Work) => void): void {
  const load = useRef(onLoad);
  load.current = onLoad;
  const isOpened = useRef(true);

  useEffect(() => {
    const open = (): void => {
      void workFrom(location.hash).then((opened) => opened && load.current(opened));
    };
    addEventListener('hashchange', open);
    return () => removeEventListener('hashchange', open);
  }, []);

  useEffect(() => {
    if (isOpened.current) {
      isOpened.current = false;
      return undefined;
    }
    const pause = setTimeout(() => void follow(work), PAUSE);
    return () => clearTimeout(pause);
  }, [work]);
}

/** Work that a link cannot carry leaves the address without one: an old link would open something else. */
async function follow(work: Work): Promise<void> {
  const fragment = obstacleToLink(work) === undefined ? await fragmentOf(work) : undefined;
  history.replaceState(null, '', fragment ?? location.pathname);
}
