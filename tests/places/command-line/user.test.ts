import { expect, test } from '@jest/globals';
import { vendorFrom } from '../../../src/places/command-line/user.ts';

test.each(['jane', 'a$$b', 'a$&b', "x$'", 'x$`', 'a"b', 'a/b'])(
  '--as asks about %s as it is written',
  (id) => {
    const user = { entityTypeId: 'Agent', entityId: id };
    expect(JSON.parse(vendorFrom(`Agent/${id}`))).toEqual(user);
    expect(JSON.parse(vendorFrom(`Agent/${id}`, ' { } '))).toEqual(user);
    expect(JSON.parse(vendorFrom(`Agent/${id}`, '\n{"clientId":"{c}"}'))).toEqual({
      ...user,
      clientId: '{c}',
    });
  },
);

test.each(['entityTypeId', 'entityId', String.raw`entity\u0049d`])(
  'a user is not named by --as and by %s of --vendor',
  (name) => {
    expect(() => vendorFrom('Agent/jane', `{"${name}":"x"}`)).toThrow('--as and --vendor both give entity');
  },
);

test.each(['jane', '/jane', 'Agent/', '/', ''])('%j names no user', (as) => {
  expect(() => vendorFrom(as)).toThrow('--as has to be an entity type and an id');
});
