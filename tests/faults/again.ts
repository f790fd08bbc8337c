import lodash from 'lodash';
import { stopLater } from '../pdp/transport/setup.ts';

/**
 * Does something again and again, until it is stopped. `closeAll` stops it too.
 *
 * @param atOnce how many do it at any time
 * @param act what one of them does, until it is told that it is over
 * @returns ends it, once what is under way is over
 */
export function startAgainAndAgain(
  atOnce: number,
  act: (isOver: () => boolean) => Promise<void>,
): () => Promise<void> {
  let isOver = false;
  const running = lodash.times(atOnce, () => act(() => isOver));
  const stop = async (): Promise<void> => {
    isOver = true;
    await Promise.all(running);
  };
  stopLater(stop);
  return stop;
}
