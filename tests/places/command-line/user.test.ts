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
