import { describe, expect, test } from '@jest/globals';
import { routeIn, routesFrom } from './written.ts';

/** The name of the route that a request takes, or the code of the error. */
function routeOf(
  written: unknown,
  target: string,
  method = 'GET',
  fields: readonly (readonly [name: string, value: string])[] = [],
): string {
  try {
    return routeIn(routesFrom(written).find(method, target, fields)).name;
  } catch (error) {
    return Error.isError(error) && 'code' in error ? String(error.code) : String(error);
  }
}

const ROUTES = {
  routes: [
    { path: '/health/**', pass: true },
    { path: '/customers/*/notes', parameters: { root: 'notes' } },
    { path: '/customers/**', methods: ['GET', 'POST'] },
    { path: '/reports/*.csv', refuse: true },
    { path: '/files/**', pass: true, rawPath: true },
    { path: '/straße/my file', refuse: true },
  ],
  otherwise: { pass: true },
};

describe('the first route that matches counts', () => {
  test.each([
    ['/health', '/health/**'],
    ['/health/', '/health/**'],
    ['/health/live/deep', '/health/**'],
    ['/healthy', 'otherwise'],
    ['/customers', '/customers/**'],
    ['/customers/7', '/customers/**'],
    ['/customers/7?x=/health/live', '/customers/**'],
    ['/customers/7/notes', '/customers/*/notes'],
    ['/customers/7/notes/', '/customers/*/notes'],
    ['/customers/7/8/notes', '/customers/**'],
    ['/reports/2026.csv', '/reports/*.csv'],
    ['/reports/.csv', '/reports/*.csv'],
    ['/reports/a/b.csv', 'otherwise'],
    ['/reports/2026.csv.gz', 'otherwise'],
    ['/stra%C3%9Fe/my%20file', '/straße/my file'],
    ['/', 'otherwise'],
  ])('%s takes %s', (target, route) => {
    expect(routeOf(ROUTES, target)).toBe(route);
  });

  test.each([
    ['/pub', '/pub'],
    ['/pub/', 'otherwise'],
    ['/pub/.', 'otherwise'],
    ['/pub/?a=/pub', 'otherwise'],
    ['/files/a.txt', '/files/*.txt'],
    ['/files/a.txt/', 'otherwise'],
    ['/folder/', '/folder/'],
    ['/folder', 'otherwise'],
    ['/all/', '/all/**'],
    ['/all/a/', '/all/**'],
    ['/export', '/export'],
    ['/export/', 'otherwise'],
    ['/masked/', '/masked'],
    ['/secret/', '/secret'],
  ])('a slash at the end counts for what lets anything through: %s takes %s', (target, route) => {
    const routes = [
      { path: '/pub', pass: true },
      { path: '/files/*.txt', pass: true },
      { path: '/folder/', pass: true },
      { path: '/all/**', pass: true },
      { path: '/export', nonJson: 'pass' },
      { path: '/masked' },
      { path: '/secret', refuse: true },
    ];
    expect(routeOf({ routes }, target)).toBe(route);
  });

  test('what is before a star and what is after it do not overlap', () => {
    const routes = { routes: [{ path: '/ab*bc', pass: true }] };
    expect(['/abbc', '/abc'].map((target) => routeOf(routes, target))).toEqual(['/ab*bc', 'otherwise']);
  });

  test('a route with methods takes these alone, and HEAD with GET', () => {
    const routes = { routes: [{ path: '/a', methods: ['GET'], refuse: true }], otherwise: { pass: true } };
    const methods = ['GET', 'HEAD', 'POST', 'post'];
    expect(methods.map((method) => routeOf(routes, '/a', method))).toEqual([
      '/a',
      '/a',
      'otherwise',
      'otherwise',
    ]);
  });

  test('without routes, every path is enforced', () => {
    const { route } = routesFrom({}).find('GET', '/anything');
    expect(route).toMatchObject({ name: 'otherwise', treatment: 'enforce' });
  });
});

describe('a path is normalized before it is matched', () => {
  test.each([
    ['/%63ustomers/7', '/customers/**'],
    ['/customers/%7Ejane', '/customers/**'],
    ['//customers//7', '/customers/**'],
    ['/x/../customers/7', '/customers/**'],
    ['/x/%2e%2E/customers/7', '/customers/**'],
    ['/./customers/./7', '/customers/**'],
    ['/../../customers/7', '/customers/**'],
    ['/health/../customers/7', '/customers/**'],
    ['/health/%2e%2e/customers/7', '/customers/**'],
  ])('%s takes %s', (target, route) => {
    expect(routeOf(ROUTES, target)).toBe(route);
  });

  test('the variable ${path} is the normalized path without the query', () => {
    expect(routesFrom(ROUTES).find('GET', '//x/../%63ustomers/7/?a=b').path).toBe('/customers/7/');
    expect(routesFrom(ROUTES).find('GET', '/a/..').path).toBe('/');
    expect(routesFrom(ROUTES).find('GET', '/%c3%a9').path).toBe('/%C3%A9');
  });
});

describe('a path that another parser could take for a different one is refused', () => {
  test.each([
    '/customers%2F7',
    '/customers%2f7',
    '/health/..%2fcustomers',
    '/health/..%5ccustomers',
    '/health\\..\\customers',
    '/customers/7%00',
    '/customers/7%0d%0aX-A:b',
    '/health/..;/customers/7',
    '/health/..;a=b/customers/7',
    '/health;x/../customers/7',
    '/health/%2e%2e;/customers/7',
    '/health/..%20/customers/7',
    '/health/%20../customers/7',
    '/health/..%C2%A0/customers/7',
    '/health/%E3%80%80../customers/7',
    '/health/..%ef%bb%bf%C2%85/customers/7',
    '/health/..%3B/customers/7',
    '/customers/%',
    '/customers/%zz',
    '/customers/%c0%ae',
    '/customers/%252e%252e/x',
    '/health/%EF%BC%8E%EF%BC%8E/customers',
    '/health%EF%BC%8Fx',
    '/customers#/health',
    '/caf\u00e9',
    'customers',
    '*',
    'http://127.0.0.1/customers',
  ])('%s', (target) => {
    expect(routeOf(ROUTES, target)).toBe('path-ambiguous');
  });

  test.each([
    ['dot segments that the application may keep', '/customers/7/../../health/live'],
    ['the same, encoded', '/customers/%2e%2e/health/live'],
    ['letter case that the application may ignore', '/Customers/7'],
    ['compatible characters', '/%EF%BD%83ustomers/7'],
    ['parameters that the application may drop', '/customers;v=1/7'],
    ['encoded parameters', '/customers%3Bv=1/7'],
    ['a refused path in another letter case', '/reports/2026.CSV'],
    ['letters that have one upper case', '/STRASSE/my%20file'],
    ['a host that the application may see', '//host/customers/7'],
    ['a host after more slashes', '///host//customers/7'],
    ['a second decoding', '/%2563ustomers/7'],
    ['an encoded query', '/customers%3Fx/../7'],
    ['an encoded fragment', '/customers%23x'],
    ['dots after a name', '/customers./7'],
    ['blanks after a name', '/customers%20%C2%A0/7'],
    ['blanks before a name', '/%20customers/7'],
    ['a wide blank and a byte order mark', '/%EF%BB%BFcustomers%e3%80%80/7'],
    ['all of these', '//host/%2543ustomers%20.;v=1/7'],
  ])('if it would lead around a stricter route by %s', (_way, target) => {
    expect(routeOf(ROUTES, target)).toBe('path-ambiguous');
  });

  test('also if it would lead to the route of all others with another intent', () => {
    const routes = { routes: [{ path: '/customers/**', vendor: { clientId: 'a' } }] };
    expect(routeOf(routes, '/CUSTOMERS/7')).toBe('path-ambiguous');
    expect(routeOf(routes, '/customers/7/../../accounts')).toBe('path-ambiguous');
    expect(routeOf(routes, '/accounts;v=1/7')).toBe('otherwise');
  });

  test('also if it would lead from one route to another with another intent', () => {
    const routes = {
      routes: [
        { path: '/customers/vip/**', vendor: { clientId: 'a' } },
        { path: '/customers/**', vendor: { clientId: 'b' } },
        { path: '/customers/old/**', vendor: { clientId: 'b' } },
      ],
    };
    expect(['/customers/VIP/7', '/customers/vip;v=1/7'].map((target) => routeOf(routes, target))).toEqual([
      'path-ambiguous',
      'path-ambiguous',
    ]);
    // A double slash is one slash to most servers, and both routes ask the same.
    expect(['/customers//vip/7', '/customers/OLD/7'].map((target) => routeOf(routes, target))).toEqual([
      '/customers/vip/**',
      '/customers/**',
    ]);
  });

  test('a route of all paths is as the route of all others', () => {
    const routes = {
      routes: [
        { path: '/customers/**', vendor: { clientId: 'a' } },
        { path: '/**', vendor: {} },
      ],
    };
    expect(['/CUSTOMERS/7', '//customers/7'].map((target) => routeOf(routes, target))).toEqual([
      'path-ambiguous',
      '/customers/**',
    ]);
  });

  test('dot segments lead from no route to another with another intent', () => {
    const routes = {
      routes: [
        { path: '/customers/**', vendor: { clientId: 'a' } },
        { path: '/orders/**', vendor: { clientId: 'b' } },
        { path: '/more/**', vendor: { clientId: 'b' } },
      ],
    };
    const targets = ['/customers/../orders/7', '/customers/%2e%2e/orders/7', '/customers//../../orders/7'];
    expect(targets.map((target) => routeOf(routes, target))).toEqual(targets.map(() => 'path-ambiguous'));
    expect(routeOf(routes, '/more/../orders/./7')).toBe('/orders/**');
    expect(routeOf(routes, '/x/../orders/7')).toBe('/orders/**');
  });

  test.each(['${claims.sub}', '${headers.x-user}'])(
    'no reading is a way around %s, which the route of all others asks about',
    (entityId) => {
      const routes = {
        trustedHeaders: ['X-User'],
        routes: [
          { path: '/catalog/**', vendor: { entityId: 'anonymous' } },
          { path: '/mine/**', vendor: { entityId: '${claims.oid}' } },
        ],
        otherwise: { vendor: { entityId } },
      };
      for (const target of ['//catalog/customers', '/catalog/..%20/customers', '/customers/../catalog/x'])
        expect(routeOf(routes, target)).toBe('path-ambiguous');
      expect(routeOf(routes, '/catalog/x')).toBe('/catalog/**');
      expect(routeOf(routes, '//mine/customers')).toBe('/mine/**');
    },
  );

  test('a route that lets other media types pass is one that asks something else, too', () => {
    const routes = {
      routes: [{ path: '/customers/**', parameters: { root: 'data.items' }, nonJson: 'pass' }],
    };
    const targets = [
      '/Customers/7',
      '/%2563ustomers/7',
      '/customers;a/7',
      '//x/customers/7',
      '/customers./7',
    ];
    expect(targets.map((target) => routeOf(routes, target))).toEqual(targets.map(() => 'path-ambiguous'));
    expect(routeOf(routes, '/customers/7')).toBe('/customers/**');
  });

  test('nor does a semicolon end the path of another route', () => {
    const routes = { routes: [{ path: '/**/*.css', pass: true }] };
    expect(routeOf(routes, '/customers;/x.css')).toBe('path-ambiguous');
    expect(routeOf(routes, '/customers/x.css')).toBe('/**/*.css');
  });

  test('a path that is encoded three times is ambiguous', () => {
    const routes = { routes: [{ path: '/customers/**' }], otherwise: { pass: true } };
    expect(['/%252563ustomers/7', '/a%2525b', '/a%2520b'].map((target) => routeOf(routes, target))).toEqual([
      'path-ambiguous',
      'path-ambiguous',
      'otherwise',
    ]);
  });

  test('on a route that asks about the path, another reading is another question', () => {
    const routes = { otherwise: { vendor: { resource: '${path}' } } };
    for (const target of ['//public/customers', '/customers;v=1/7', '/public/..%20/customers'])
      expect(routeOf(routes, target)).toBe('path-ambiguous');
    expect(routeOf(routes, '/public/customers')).toBe('otherwise');
    const own = { routes: [{ path: '/customers/**', vendor: { resource: '${path}' } }] };
    expect(routeOf(own, '//customers/7')).toBe('/customers/**');
  });

  test('unless the route takes raw paths', () => {
    expect(routeOf(ROUTES, '/files/a%2Fb')).toBe('/files/**');
    expect(routeOf(ROUTES, '/files/..%2Fcustomers')).toBe('/files/**');
  });
});

describe('a header field that replaces the method or the target is no way around a stricter route', () => {
  const routes = { ...ROUTES, trustedHeaders: ['X-Rewrite-URL'] };

  test.each([
    ['/health', 'GET', 'X-Original-URL', '/customers/7'],
    ['/health', 'GET', 'x-original-url', 'https://host/customers/7?x'],
    ['/health', 'GET', 'X-Original-URL', '/Customers/7'],
    ['/health', 'GET', 'X-Original-URL', '/health/..;/customers'],
    ['/health', 'GET', 'X-Original-URL', '/customers/7/../../health'],
    ['/health', 'GET', 'X-Original-URL', 'customers'],
    ['/files/a%2Fb', 'GET', 'X-Original-URL', '/customers/7'],
    ['/files/a%2Fb', 'GET', 'X-Original-URL', '/customers%2F7'],
    ['/customers/7', 'PUT', 'X-HTTP-Method-Override', 'GET'],
    ['/customers/7', 'PUT', 'X-Method-Override', ' get'],
    ['/customers/7', 'PUT', 'X-HTTP-Method', 'POST'],
    ['/customers/7', 'PUT', 'X_HTTP_Method_Override', 'GET'],
    ['/health', 'GET', 'X_Original-URL', '/customers/7'],
    ['/health', 'GET', 'X_Rewrite_URL', '/customers/7'],
    ['/health', 'GET', 'X.Original.URL', '/customers/7'],
    ['/customers/7', 'PUT', "X!HTTP-Method'Override", 'GET'],
    ['/customers/7', 'PUT', 'X-HTTP-Method-Override', 'GET, x'],
    ['/customers/7', 'PUT', 'X-HTTP-Method-Override', 'x,get'],
    ['/customers/7?_method=get', 'PUT', 'X-Other', 'x'],
    ['/customers/7?a=b&%5Fmethod=GET', 'PUT', 'X-Other', 'x'],
    ['/customers/7?_method=DELETE&_method=GET', 'PUT', 'X-Other', 'x'],
    ['/customers/7', 'get', 'X-Other', 'x'],
    ['/customers/7', 'Post', 'X-Other', 'x'],
  ])('%s %s with %s: %s is refused', (target, method, name, value) => {
    expect(routeOf(routes, target, method, [[name, value]])).toBe('path-ambiguous');
  });

  test.each([
    ['/customers', 'GET', 'X-Original-URL', '/other'],
    ['/customers', 'POST', 'X-HTTP-Method-Override', 'GET'],
    ['/customers?_method=GET', 'POST', 'X-Other', 'x'],
  ])('nor within one route that asks about %s %s: %s: %s', (target, method, name, value) => {
    const asking = { otherwise: { vendor: { resource: '${path}', action: '${method}' } } };
    expect(routeOf(asking, target, method, [[name, value]])).toBe('path-ambiguous');
    expect(routeOf({ otherwise: {} }, target, method, [[name, value]])).toBe('otherwise');
  });

  test.each(['SCRIPT_NAME', 'script-name', 'Daphne-Root-Path', 'X-Script-Name'])(
    'nor is a prefix in %s that servers cut off',
    (name) => {
      expect(routeOf(ROUTES, '/health/customers/7', 'GET', [[name, '/health']])).toBe('path-ambiguous');
      expect(routeOf(ROUTES, '/health/customers/7', 'GET', [[name, '']])).toBe('/health/**');
      const trusting = { ...ROUTES, trustedHeaders: [name] };
      expect(routeOf(trusting, '/health/customers/7', 'GET', [[name, '/health']])).toBe('/health/**');
    },
  );

  test.each([
    '.method=GET',
    '%2Emethod=get',
    '[method=GET',
    '%5Bmethod=GET',
    '+_method=GET',
    '%20_method=GET',
    'a=1;_method=GET',
    '_METHOD=GET',
    'a&_method=GET',
  ])('nor is a parameter that servers take for _method: %s', (query) => {
    expect(routeOf(routes, `/customers/7?${query}`, 'PUT', [])).toBe('path-ambiguous');
  });

  test.each(['a_method=GET', '_method=x', 'method=GET', '_methods=GET', 'x=_method=GET'])(
    'but not one of another name or value: %s',
    (query) => {
      expect(routeOf(routes, `/customers/7?${query}`, 'PUT', [])).toBe('otherwise');
    },
  );

  test('nor are two of them, or many', () => {
    const two = [
      ['X-HTTP-Method-Override', 'GET'],
      ['X-Original-URL', '/customers/7'],
    ] as const;
    expect(routeOf(routes, '/health', 'DELETE', two)).toBe('path-ambiguous');
    const many = Array.from('abcdef', (letter) => ['X-Original-URL', `/health/${letter}`] as const);
    expect(routeOf(routes, '/health', 'GET', many)).toBe('path-ambiguous');
  });

  test.each([
    ['/customers/7', 'GET', 'X-Original-URL', '/health', '/customers/**'],
    ['/customers/7', 'POST', 'X-HTTP-Method-Override', 'PUT', '/customers/**'],
    ['/health', 'GET', 'X-Original-URL', '/health/live', '/health/**'],
    ['/health', 'GET', 'X-Rewrite-URL', '/customers/7', '/health/**'],
    ['/health', 'GET', 'X-Original-URI', '/customers/7', '/health/**'],
    ['/files/a%2Fb', 'POST', 'X-HTTP-Method-Override', 'PUT', '/files/**'],
    ['/customers/7?_method=PUT&a=%20', 'POST', 'X-Other', 'x', '/customers/**'],
    ['/health', 'get', 'X-Other', 'x', '/health/**'],
    ['/health', 'GET', 'X-Original-URL', 'http://a.example/health/live', '/health/**'],
  ])('%s %s with %s: %s takes %s', (target, method, name, value, route) => {
    expect(routeOf(routes, target, method, [[name, value]])).toBe(route);
  });
});

test.each([
  ['segments that servers may spell in several ways', `${'/a'.repeat(510)};x`],
  ['characters that servers may spell in another way', `/${'a'.repeat(8192)}`],
])('a path of many %s is ambiguous', (_what, target) => {
  const routes = { otherwise: { pass: true } };
  expect(routeOf(routes, target)).toBe('otherwise');
  for (const odd of [';+', '/b;x', '%20', '/%2541', '%3F'])
    expect(routeOf(routes, target + odd)).toBe('path-ambiguous');
  expect(routeOf(routes, '/a/a+')).toBe('otherwise');
});

test('a path of many segments and a pattern of many stars are matched in bounded time', () => {
  const pattern = `${'/**/a*b*c'.repeat(50)}/end`;
  const target = `/${'aabbcc/'.repeat(500)}x`;
  expect(routeOf({ routes: [{ path: pattern, refuse: true }], otherwise: { pass: true } }, target)).toBe(
    'otherwise',
  );
});

test('a path with dot segments of both kinds, encoded and not, is ambiguous, whatever the routes', () => {
  const routes = { otherwise: { pass: true } };
  expect(routeOf(routes, '/a/../%2e%2e/b')).toBe('path-ambiguous');
  expect(routeOf(routes, '/a/./.%2e/b')).toBe('path-ambiguous');
  expect(routeOf(routes, '/a/../../b')).toBe('otherwise');
  expect(routeOf(routes, '/a/%2e%2e/%2e%2e/b')).toBe('otherwise');
});

test('a path with a fragment, which no path has, is ambiguous, whatever the routes', () => {
  expect(routeOf({ otherwise: { pass: true } }, '/a#b')).toBe('path-ambiguous');
});

test('a path that could be that of a route on which bodies of other types do not pass is ambiguous', () => {
  const strict = { vendor: { entityId: 'jane' } };
  const lax = { ...strict, nonJson: 'pass' };
  const routes = [{ path: '/customers/**', ...strict }];
  expect(routeOf({ routes, otherwise: lax }, '/Customers/7')).toBe('path-ambiguous');
  expect(routeOf({ routes: [{ path: '/customers/**', ...lax }], otherwise: strict }, '/Customers/7')).toBe(
    'otherwise',
  );
});

test('a path of more than 512 segments is refused on every route, and as one that a header field names', () => {
  const long = `/files${'/a'.repeat(511)}`;
  expect(routeOf(ROUTES, long)).toBe('/files/**');
  expect(routeOf(ROUTES, `/other${'/a'.repeat(511)}?${'/a'.repeat(600)}`)).toBe('otherwise');
  for (const target of [
    `${long}/a`,
    `${long}/`,
    `/x${'/a'.repeat(600)}`,
    '/'.repeat(600),
    `${'/a/..'.repeat(300)}/b`,
  ])
    expect(routeOf(ROUTES, target)).toBe('path-ambiguous');
  expect(routeOf(ROUTES, '/x', 'GET', [['X-Original-URL', `${long}/a`]])).toBe('path-ambiguous');
});
