import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { keyOf } from '../../../../src/pdp/middleware/cache/key.ts';
import type { Call, HeaderFields } from '../../../../src/pdp/port.ts';
import { question } from '../../transport/setup.ts';
import { differentQuestions, isNoise, noise } from './questions.ts';

function copyOf({ headers, messages, ...asked }: Call): Call {
  const copies = messages.map(({ url, body, ...rest }) => ({
    ...rest,
    url: new URL(url.href),
    body: new Uint8Array(body),
  }));
  return { ...asked, headers: structuredClone(headers), messages: copies };
}

describe('the key of a question', () => {
  it('is the same for the same endpoint, header and body, and different for any that differ', () => {
    fc.assert(
      fc.property(differentQuestions, (questions) => {
        const keys = questions.map((asked) => keyOf(asked));
        expect(new Set(keys).size).toBe(questions.length);
        expect(questions.map((asked) => keyOf(copyOf(asked)))).toEqual(keys);
      }),
    );
  });

  it('is different for what looks the same when it is put together', () => {
    const headers: readonly HeaderFields[] = [
      [],
      [['x', '']],
      [['x', 'a,x,b']],
      [['x', 'a"],["x","b']],
      [
        ['x', 'a'],
        ['x', 'b'],
      ],
      [
        ['x', 'b'],
        ['x', 'a'],
      ],
      [['X', 'a,x,b']],
    ];
    const bodies = ['{}', '[["x","a"]]{}', 'x,a{}', ''].map((text) => Buffer.from(text));
    const questions = headers.flatMap((fields) => bodies.map((body) => question({ headers: fields, body })));
    expect(new Set(questions.map((asked) => keyOf(asked))).size).toBe(questions.length);
  });

  it('is the same if requests differ only in their ids and traces', () => {
    const plain = question({ headers: [['Authorization', 'Bearer a.b.c']] });
    fc.assert(
      fc.property(noise, noise, (before, after) => {
        expect(keyOf({ ...plain, headers: [...before, ...plain.headers, ...after] })).toBe(keyOf(plain));
      }),
    );
  });

  it.each(['baggage', 'authorization', 'x-forwarded-for', 'x-request-id2', 'x_request_id', 'date', 'cookie'])(
    'depends on the field %s',
    (name) => {
      expect(isNoise(name)).toBe(false);
      const keys = ['one', 'other'].map((value) => keyOf(question({ headers: [[name, value]] })));
      expect(keys[0]).not.toBe(keys[1]);
    },
  );

  it.each<[string, HeaderFields]>([
    ['long', [['x-request-id', 'a'.repeat(1100)]]],
    ['many', Array.from({ length: 100 }, () => ['b3', '0123456789'] as const)],
    ['not plain', [['x-request-id', 'a\nb']]],
    ['not ASCII', [['tracestate', 'ä']]],
  ])('depends on ids and traces that are %s', (_what, headers) => {
    const odd = keyOf(question({ headers }));
    expect(odd).not.toBe(keyOf(question()));
    expect(odd).toBe(keyOf(question({ headers })));
  });

  it('depends on each byte of each body, also of bodies that are as long as others', () => {
    const asked = question();
    const keys = [['jane'], ['jack'], ['jane', 'jane'], ['jane', 'jack'], ['jack', 'jane']].map((bodies) => {
      const messages = bodies.map((body) => ({ url: new URL('http://pdp/'), body: Buffer.from(body) }));
      return keyOf({ ...asked, messages });
    });
    expect(new Set(keys).size).toBe(5);
  });

  it('depends on where a message ends', () => {
    const asked = question();
    const keys = [
      ['1', '23'],
      ['12', '3'],
    ].map((bodies) => {
      const messages = bodies.map((body) => ({ url: new URL('http://pdp/'), body: Buffer.from(body) }));
      return keyOf({ ...asked, messages });
    });
    expect(keys[0]).not.toBe(keys[1]);
  });

  it('depends on what is accepted as the answer', () => {
    const asked = question();
    const keys = [undefined, 'application/json', 'text/plain'].map((accept) =>
      keyOf({ ...asked, messages: asked.messages.map(({ url, body }) => ({ url, body, accept })) }),
    );
    expect(new Set(keys).size).toBe(3);
  });

  it('does not depend on the signal', () => {
    expect(keyOf(question({ signal: new AbortController().signal }))).toBe(keyOf(question()));
  });

  it('does not give away what it was made of', () => {
    expect(keyOf(question({ headers: [['authorization', 'Bearer s3cret']] }))).toMatch(/^[\w+/]{43}=$/);
  });
});
