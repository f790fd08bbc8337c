import { useEffect, useRef } from 'preact/hooks';
import { DAMAGED, fragmentOf, obstacleToLink, workFrom } from './permalink.ts';
import type { Work } from './work.ts';

/** How long the work has to rest before the address follows it, in milliseconds: browsers limit how often it may change. */
const PAUSE = 400;

/**
 * Keeps the address a link to the work, and loads the work of a link that is opened.
 *
 * @param onLoad gets the work, and what is said of it
 */
export function usePermalink(work: Work, onLoad: (work: Work, note?: string) => void): void {
  const load = useRef(onLoad);
  load.current = onLoad;
  const shown = useRef(work);
  shown.current = work;
  const isOpened = useRef(true);

  useEffect(() => {
    const open = async (): Promise<void> => {
      const opened = await workFrom(location.hash);
      if (opened === 'damaged') load.current(shown.current, DAMAGED);
      else if (opened !== undefined) load.current(opened);
    };
    const listen = (): void => void open();
    addEventListener('hashchange', listen);
    return () => removeEventListener('hashchange', listen);
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
