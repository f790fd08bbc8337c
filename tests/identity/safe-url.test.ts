import { expect, test } from '@jest/globals';
import { safeUrl } from '../../src/identity/remote-keys.ts';
import { IdentityUnavailable } from '../../src/identity/unavailable.ts';

const OVER_TLS = new URL('https://idp.example/.well-known/openid-configuration');
const IN_CLEAR = new URL('http://idp.example/.well-known/openid-configuration');

test.each([
  [OVER_TLS, 'https://keys.example/keys'],
  [IN_CLEAR, 'https://keys.example/keys'],
  [IN_CLEAR, 'http://keys.example/keys'],
])('what %s says of keys at %s is followed', (from, text) => {
  expect(safeUrl(text, from).href).toBe(text);
});

test.each([
  [OVER_TLS, 'http://keys.example/keys'],
  [OVER_TLS, '/keys'],
  [IN_CLEAR, 'file:///etc/keys'],
  [OVER_TLS, 'data:application/json,{}'],
])('what %s says of keys at %s is not followed', (from, text) => {
  expect(() => safeUrl(text, from)).toThrow(IdentityUnavailable);
});
