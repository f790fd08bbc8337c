import { expect, test } from '@jest/globals';
import { chosenPortFailure, listenFailure } from '../../src/process/listen-failure.ts';

/** An error of the system. */
function failed(code?: string): NodeJS.ErrnoException {
  return Object.assign(new Error('listen'), code === undefined ? {} : { code });
}

const CHOOSE = 'Choose another one with --port.';

test.each([
  ['EADDRINUSE', 'the port is in use (EADDRINUSE).', CHOOSE],
  ['EACCES', 'this user may not listen on it (EACCES).', CHOOSE],
  ['EADDRNOTAVAIL', 'this machine does not have that address (EADDRNOTAVAIL).', undefined],
  ['ENOTFOUND', 'the host is unknown (ENOTFOUND).', undefined],
  ['EMFILE', 'the system refuses (EMFILE).', undefined],
  [undefined, 'the system refuses (unknown).', undefined],
])(
  'that nobody can listen is said with the reason, and with --port if that helps: %s',
  (code, why, helps) => {
    const reason = `Cannot listen on pdp.example:443: ${why}`;
    expect(listenFailure(failed(code), 'pdp.example', 443)).toBe(reason);
    expect(chosenPortFailure(failed(code), 'pdp.example', 443)).toBe(
      helps === undefined ? reason : `${reason} ${helps}`,
    );
  },
);

test('that nobody can listen is said of the port alone if it is that of all addresses', () => {
  expect(listenFailure(failed('EACCES'), undefined, 80)).toBe(
    'Cannot listen on port 80: this user may not listen on it (EACCES).',
  );
});
