import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** How large the space of the young objects is when it is no longer let grow, in bytes: two halves, of which one is in use. */
const YOUNG_SPACE = 8 * 1024 * 1024;
/** The factor by which V8 lets it grow at once, by default. */
const GROWTH = 2;
/** When a full collection begins, in percent of what V8 may allocate until its end: in spare time, and without waiting for any. */
const BEGIN = { inSpareTime: 20, atOnce: 40 };

/**
 * Keeps the memory small that V8 takes under load.
 *
 * By default, V8 allocates objects among the old ones if those of the same line of code lived long under load. Once they are garbage,
 * they keep all that they refer to until the next full collection, which for a long stream of records is tens of megabytes.
 *
 * Called when the service listens: V8 takes no code that was compiled ahead under other flags, which would make the start longer.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  boundGrowth();
}

/**
 * Has V8 begin a full collection by how much it has allocated since the last one.
 *
 * By default, it begins when it may allocate less than the space of the young objects takes. While few objects are alive, it may hardly
 * allocate more than that, so nearly each payload of 4 MB had a collection, which took as much processor time as the rest of the request.
 * While many are alive, a collection begins a little sooner than by default. Both ways, V8 may allocate the same until its end.
 *
 * Called when the service listens, for the same reason as {@link keepHeapSmall}.
 */
export function collectByAllocation(): void {
  setFlagsFromString(`--incremental-marking-soft-trigger=${BEGIN.inSpareTime}`);
  setFlagsFromString(`--incremental-marking-hard-trigger=${BEGIN.atOnce}`);
}

/**
 * By default, the young objects may take 64 MB before V8 looks which of them are alive, and buffers as much again. Requests leave next
 * to nothing alive, so that looking more often costs little. When the size is known, the space may have grown once more: it is between
 * {@link YOUNG_SPACE} and four times that. If it were much smaller, what is in flight would grow old, and be freed late.
 *
 * While nothing happens, V8 makes the space small, and then it has to grow again.
 */
function boundGrowth(): void {
  let isBound = false;
  const observer = new PerformanceObserver(() => {
    const isLarge = youngSpace() >= YOUNG_SPACE;
    if (isLarge === isBound) return;
    isBound = isLarge;
    setFlagsFromString(`--semi-space-growth-factor=${isLarge ? 1 : GROWTH}`);
  });
  observer.observe({ type: 'gc' });
}

function youngSpace(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return space?.space_size ?? 0;
}
