import type { Worker } from 'node:cluster';
import lodash from 'lodash';

/**
 * Closes the connections that were handed to a worker which died before it took them. Node forgets them, so their callers
 * would wait for ever. Node's messages carry a number, `seq`, which the worker acknowledges as `ack`.
 */
export function closeUntaken({ process: child }: Worker): void {
  const untaken = new Map<unknown, unknown>();
  const original: unknown = Reflect.get(child, 'send');
  const follow = (...parts: readonly unknown[]): unknown => {
    const [message, handle] = parts;
    if (lodash.get(message, 'act') === 'newconn') untaken.set(lodash.get(message, 'seq'), handle);
    return lodash.invoke(original, 'apply', child, parts);
  };
  Reflect.set(child, 'send', follow);
  child.on('internalMessage', (message: unknown) => untaken.delete(lodash.get(message, 'ack')));
  child.once('exit', () => untaken.forEach((handle) => void lodash.invoke(handle, 'close')));
}
