import { expect, test } from '@jest/globals';
import { problemsIn } from './written.ts';

test.each([
  [{ routes: [{ path: 'a' }] }, 'routes.0.path must begin with /'],
  [
    { routes: [{ path: '/a?b' }] },
    'routes.0.path must not have a query or fragment: routes are matched by path',
  ],
  ...['/customers/:id', '/customers/{id}', '/customers/<id>'].map(
    (path) =>
      [
        { routes: [{ path }] },
        'routes.0.path must have * for any segment, such as /customers/*: :id and {id} would match only themselves',
      ] as const,
  ),
  [{ routes: [{ path: '/a**' }] }, 'routes.0.path must have ** as a whole segment, such as /customers/**'],
  [
    { routes: [{ path: '/a%2Fb' }] },
    'routes.0.path must not have backslashes, control characters or encoded slashes',
  ],
  [
    { routes: [{ path: '/a\\b' }] },
    'routes.0.path must not have backslashes, control characters or encoded slashes',
  ],
  [
    { routes: [{ path: '/a/../b' }] },
    'routes.0.path must not have empty or dot segments: paths are normalized before they are matched',
  ],
  [
    { routes: [{ path: '//a' }] },
    'routes.0.path must not have empty or dot segments: paths are normalized before they are matched',
  ],
  [
    { routes: [{ path: '/a', methods: ['GTE'] }] },
    'routes.0.methods.0 is not a method; the nearest one is GET',
  ],
  [
    { routes: [{ path: '/a', methods: ['get'] }] },
    'routes.0.methods.0 is not a method; the nearest one is GET',
  ],
  [
    { otherwise: { vendor: { id: '${claim.sub}' } } },
    'otherwise.vendor.id has ${claim.sub}, which is not a variable; the nearest one is ${claims.sub}',
  ],
  [
    { otherwise: { vendor: { id: ['${user}'] } } },
    'otherwise.vendor.id.0 has ${user}, which is not a variable; the known ones are ${claims.x}, ${headers.x}, ${method} and ${path}',
  ],
  [
    { otherwise: { vendor: { id: '${claims}' } } },
    'otherwise.vendor.id has ${claims}, which is not a variable; a claim is a JSONPath of names and indexes, such as ${claims.roles[0]}',
  ],
  [
    { otherwise: { vendor: { id: '${claims.a[?(@.b)]}' } } },
    'otherwise.vendor.id has ${claims.a[?(@.b)]}, which is not a variable; a claim is a JSONPath of names and indexes, such as ${claims.roles[0]}',
  ],
  [
    { otherwise: { vendor: { id: '${headers.x y}' } } },
    'otherwise.vendor.id has ${headers.x y}, which is not a variable; a header is one name, such as ${headers.x-user}',
  ],
  [
    { otherwise: { vendor: { id: '${path.0}' } } },
    'otherwise.vendor.id has ${path.0}, which is not a variable; it is one word: ${path}',
  ],
  [{ otherwise: { vendor: { id: '${claims.sub' } } }, 'otherwise.vendor.id has ${ without a closing }'],
  [
    { otherwise: { vendor: { id: '${ claims.sub }' } } },
    'otherwise.vendor.id has ${ claims.sub }, which is not a variable; without blanks, it is ${claims.sub}',
  ],
  ...[
    '{{claims.sub}}',
    '$claims.sub',
    '{claims.sub}',
    'user $(claims.sub)',
    '{{.claims.sub}}',
    '<%= claims.sub %>',
    '${method}{{ claims["sub"] }}',
  ].map((id): [object, string] => [
    { otherwise: { vendor: { id } } },
    'otherwise.vendor.id has a variable that is not written as ${…}; write ${claims.x}',
  ]),
  [
    { otherwise: { vendor: { id: '%{headers.x-user}' } } },
    'otherwise.vendor.id has a variable that is not written as ${…}; write ${headers.x}',
  ],
  [{ otherwise: { vendor: { '${path}': 'a' } } }, 'otherwise.vendor.${path} has a variable in its name'],
  [
    { otherwise: { vendor: { id: 2 ** 60 } } },
    'otherwise.vendor.id is a number that would lose digits; put it in quotes',
  ],
  [{ otherwise: { pass: true, refuse: true } }, 'otherwise.refuse contradicts pass; keep one of them'],
  [
    { otherwise: { pass: true, vendor: {} } },
    'otherwise.vendor means nothing with pass: nothing is enforced',
  ],
  [
    { otherwise: { refuse: true, nonJson: 'pass' } },
    'otherwise.nonJson means nothing with refuse: nothing is enforced',
  ],
  [
    { otherwise: { parameters: { calculationType: 'context', assetId: 'id' } } },
    'otherwise.parameters.protectedObject is required if calculationType is context',
  ],
  [
    { otherwise: { parameters: { root: 'a..b' } } },
    expect.stringContaining('otherwise.parameters.root is not a path: '),
  ],
  [{ trustedHeaders: ['x user'] }, 'trustedHeaders.0 must be the name of a header field'],
])('%j is refused in words', (written, problem) => {
  expect(problemsIn(written)).toEqual([problem]);
});

test.each([
  { routes: [{ path: '/a', pass: false, refuse: false, vendor: {} }] },
  { otherwise: { vendor: { price: '$5', open: 'a { b } $', type: 'claims.adjuster', of: '(claims)' } } },
])('%j is a configuration', (written) => {
  expect(problemsIn(written)).toEqual([]);
});
