import { describe, expect, test } from '@jest/globals';
import type { HeaderFields } from '../../../src/enforcement/index.ts';
import { codingOf } from '../../../src/places/answer/codings.ts';
import { mediaOf } from '../../../src/places/answer/media.ts';

function typed(...types: readonly string[]): HeaderFields {
  return types.map((type) => ['content-type', type]);
}

function coded(...codings: readonly string[]): HeaderFields {
  return codings.map((coding) => ['content-encoding', coding]);
}

describe('the content coding of an answer', () => {
  test.each([
    [coded(), undefined],
    [coded('identity'), undefined],
    [coded('None'), undefined],
    [coded('none, gzip'), 'gzip'],
    [coded('gzip'), 'gzip'],
    [coded('GZIP, identity'), 'gzip'],
    [coded('x-gzip'), 'gzip'],
    [coded('br'), 'br'],
    [coded('gzip, br'), 'unknown'],
    [coded('gzip, gzip'), 'unknown'],
    [coded('gzip', 'br'), 'unknown'],
    [coded('compress'), 'unknown'],
  ])('of the fields %j is %s', (fields, coding) => {
    expect(codingOf(fields)).toBe(coding);
  });
});

describe('the kind of an answer', () => {
  test.each([
    ['application/json', 'json'],
    ['Application/JSON; charset="UTF-8"', 'json'],
    ['application/problem+json', 'json'],
    ['application/ld+json; profile="a, \\", b"', 'json'],
    ['application/x-ndjson', 'ndjson'],
    ['text/event-stream', 'event-stream'],
    ['text/html', 'other'],
  ])('of %s is %s', (type, format) => {
    expect(mediaOf(typed(type))).toEqual({ format });
  });

  // Some clients take any of these for JSON.
  test.each([
    [typed()],
    [typed('*/*')],
    [typed('*/*; charset=utf-8')],
    [typed('json')],
    [typed('text/plain', 'application/json')],
    [typed('text/plain, application/json')],
    [typed('text/plain; x="a, application/json')],
    [typed('text/plain; x="\\"\\", application/json')],
    [typed('text/plain; x="a, application/json\\')],
    [typed('application/json; charset=utf-16')],
    [typed('application/jsonp+x-json5')],
    [typed('multipart/mixed; boundary="-"; deferSpec=20220824')],
    [typed('Multipart/Related; boundary=a; type="application/json"')],
    [typed('multipart/x-mixed-replace;boundary=x')],
    [typed('application/http; msgtype=response')],
    [typed('message/http')],
  ])('of the fields %j is not clear', (fields) => {
    expect(mediaOf(fields)).toHaveProperty('format', 'unclear');
  });
});
