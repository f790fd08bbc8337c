import { posix } from 'node:path';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { HeaderFields } from '../../../src/enforcement/index.ts';
import type { Routes } from '../../../src/places/routes/index.ts';
import { routeIn, routesFrom } from './written.ts';

const ROUTES = routesFrom({
  routes: [
    { path: '/health/**', pass: true },
    { path: '/customers/**', parameters: { root: 'data' } },
  ],
  otherwise: { pass: true },
});

/** What an application has before it looks at its routes: the target of the request, then its path. */
type Habit = (text: string) => string;

const withoutQuery: Habit = (text) => text.replace(/[?#].*$/su, '');

/** How applications get from the target to the path. */
const PARSERS: Readonly<Record<string, Habit>> = {
  cutsTheQuery: withoutQuery,
  resolvesAReference: (text) => new URL(text, 'http://application').pathname,
  decodesFirst: (text) => withoutQuery(decodeURIComponent(text)),
};

/** What applications do to the path. */
const HABITS: Readonly<Record<string, Habit>> = {
  decodesForm: (text) => decodeURIComponent(text.replaceAll('+', ' ')),
  decodes: decodeURIComponent,
  decodesAgain: decodeURIComponent,
  decodesFormAgain: (text) => decodeURIComponent(text.replaceAll('+', ' ')),
  dropsParameters: (text) => text.replaceAll(/;[^/]*/gu, ''),
  turnsBackslashes: (text) => text.replaceAll('\\', '/'),
  trimsBlanks: (text) => text.replaceAll(/[^/]+/gu, (name) => stripped(name)),
  resolvesDots: (text) => posix.normalize(text),
  trimsNames: (text) =>
    text.replaceAll(/[^/]+/gu, (name) =>
      /^\.+$/u.test(name) ? name : stripped(name).replace(/[. ]+$/u, ''),
    ),
  ignoresCase: (text) => text.toUpperCase().toLowerCase(),
  dropsDoubleSlashes: (text) => text.replaceAll(/\/+/gu, '/'),
};

/** As some languages do, that count U+0085, too. */
function stripped(name: string): string {
  return name.replaceAll(/^[\s\u0085]+|[\s\u0085]+$/gu, '');
}

const PIECES: readonly string[] = [
  ...'/ / / // /. /.. /%2e%2E /..; /.;x \\ %2f %5C %252f'.split(' '),
  ...'/customers /customers /Customers /%63ustomers /%2563ustomers /cu%C5%BFtomers /7 /health /host'.split(
    ' ',
  ),
  ...';v=1 %3Bv ?a %3F # %23 %20 . %2E %C2%A0 %C2%85 %E3%80%80 %EF%BB%BF %00 % %25 %2520 + %2B %252b @ :80'.split(
    ' ',
  ),
];

const targets = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 7 })
  .map((pieces) => `/${pieces.join('').replace(/^\//u, '')}`);

const servers = fc.record({
  parser: fc.constantFrom(...Object.keys(PARSERS)),
  habits: fc.subarray(Object.keys(HABITS)),
});

/** The first name of the path that an application with these habits takes a target for; undefined if it refuses the target. */
function firstName(
  target: string,
  { parser, habits }: { parser: string; habits: readonly string[] },
): string | undefined {
  try {
    const parse = PARSERS[parser] ?? withoutQuery;
    const path = habits.reduce((text, habit) => HABITS[habit]?.(text) ?? text, parse(target));
    return path.split('/')[1];
  } catch {
    return undefined;
  }
}

function isPassed(target: string): boolean {
  try {
    return routeIn(ROUTES.find('GET', target)).treatment === 'pass';
  } catch {
    return false;
  }
}

test('whatever habits an application has, no path passes that it takes for one of an enforced route', () => {
  fc.assert(
    fc.property(targets, servers, (target, server) => {
      fc.pre(firstName(target, server) === 'customers');
      expect(isPassed(target)).toBe(false);
    }),
    { numRuns: 3000, maxSkipsPerRun: 1000 },
  );
});

/** What a route does; those that enforce ask the PDP different things. */
const TREATMENTS = [
  { pass: true },
  { vendor: { clientId: 'a' } },
  { vendor: { entityId: '${claims.sub}' } },
  { vendor: { entityId: '${headers.x-user}' }, nonJson: 'pass' },
  { parameters: { root: 'data' } },
  {},
  { refuse: true },
] as const;
const treatments = fc.constantFrom<object>(...TREATMENTS);
const requests = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT'),
  target: fc.constantFrom('/health', '/health/7', '/customers', '/customers/7', '/', '/host'),
});

/** Whether a request that is treated like the first may be replaced by one that is treated like the second. */
function mayBecome(own: object, named: object): boolean {
  return JSON.stringify(own) === JSON.stringify(named) || 'pass' in named || 'refuse' in own;
}

function isFound(routes: Routes, method: string, target: string, fields: HeaderFields): boolean {
  try {
    return routes.find(method, target, fields).path !== '';
  } catch {
    return false;
  }
}

test('a header field names no request that is treated in another way, be it that of no route', () => {
  const tables = fc.record({ customers: treatments, posted: treatments, otherwise: treatments });
  fc.assert(
    fc.property(tables, requests, requests, ({ customers, posted, otherwise }, own, named) => {
      const routes = routesFrom({
        routes: [
          { path: '/customers/**', ...customers },
          { path: '/health', methods: ['POST'], ...posted },
        ],
        otherwise,
      });
      const byName: Readonly<Record<string, object>> = {
        '/customers/**': customers,
        '/health': posted,
        otherwise,
      };
      const treatmentOf = (method: string, target: string): object =>
        byName[routeIn(routes.find(method, target)).name] ?? {};
      const replaced = [own, named].flatMap(({ method }) =>
        [own, named].map(({ target }) => treatmentOf(method, target)),
      );
      const treatment = treatmentOf(own.method, own.target);
      const fields = [
        ['X-Original-URL', named.target],
        ['X-HTTP-Method-Override', named.method],
      ] as const;
      expect(isFound(routes, own.method, own.target, fields)).toBe(
        replaced.every((one) => mayBecome(treatment, one)),
      );
    }),
    { numRuns: 2000 },
  );
});

function asksWho(treatment: object): boolean {
  return JSON.stringify(treatment).includes('${');
}

/** Whether a request that is treated like the first may be one of `otherwise` to the application, and be treated like the second there. */
function mayBeOfOtherwise(own: object, otherwise: object): boolean {
  if (mayBecome(own, otherwise)) return true;
  if ('pass' in own || 'refuse' in otherwise) return false;
  return (asksWho(own) || !asksWho(otherwise)) && ('nonJson' in otherwise || !('nonJson' in own));
}

test('whatever habits an application has, it takes no path for one that is enforced in another way', () => {
  const tables = fc.record({ customers: treatments, health: treatments, otherwise: treatments });
  fc.assert(
    fc.property(tables, targets, servers, ({ customers, health, otherwise }, target, server) => {
      const name = firstName(target, server);
      // A server that decodes nothing has no other names than those that it knows.
      fc.pre(name !== undefined && /^(?:customers|health|host|7)$/u.test(name));
      const routes = routesFrom({
        routes: [
          { path: '/customers/**', ...customers },
          { path: '/health/**', ...health },
        ],
        otherwise,
      });
      fc.pre(isFound(routes, 'GET', target, []));
      const byName: Readonly<Record<string, object>> = {
        '/customers/**': customers,
        '/health/**': health,
      };
      const own = byName[routeIn(routes.find('GET', target)).name] ?? otherwise;
      const other = byName[`/${name}/**`];
      expect(other === undefined ? mayBeOfOtherwise(own, otherwise) : mayBecome(own, other)).toBe(true);
    }),
    { numRuns: 3000, maxSkipsPerRun: 1000 },
  );
});
