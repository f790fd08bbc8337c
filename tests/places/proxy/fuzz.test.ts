import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call } from '../../support/caller.ts';
import { answerOddly, faultOf, oddExchanges, oddRequest, type OddExchange } from '../answer/odd-answers.ts';
import { SECRET, startApplication, startProxied, type Proxied } from './setup.ts';

let proxied: Proxied;
let odd: OddExchange;

beforeAll(async () => {
  const application = await startApplication((_request, response) => answerOddly(response, odd));
  proxied = await startProxied(application.url);
});

afterAll(closeAll);

test('any answer is masked as /enforce would mask it, or is an error, or has no body', async () => {
  let masked = 0;
  await fc.assert(
    fc.asyncProperty(oddExchanges, async (given) => {
      odd = given;
      const answer = await call(proxied.proxyPort, oddRequest(given)).catch(() => undefined);
      expect(await faultOf(given, answer, proxied.port)).toBeUndefined();
      if (answer?.text.includes('***') === true) masked++;
    }),
    { numRuns: 300 },
  );
  expect(masked).toBeGreaterThan(20);
});

const SEGMENTS =
  'customers Customers CUSTOMERS health .. . %2e%2e ..; ..;x=y %2e ;a %2F %5C %00 health%2f.. c%75stomers customers;v=1 ' +
  '%252e%252e 7 % x%zz ~';
const segment = fc.constantFrom('', ...SEGMENTS.split(' '));

/** The first segment of a path, as an application reads it that may decode it, drop parameters, fold case and resolve dots. */
function firstSegment(target: string, sloppy: ReadonlySet<string>): string {
  let path = target;
  if (sloppy.has('decodes')) path = decoded(path).replaceAll('\\', '/');
  if (sloppy.has('drops parameters')) path = path.replaceAll(/;[^/]*/gu, '');
  if (sloppy.has('folds case')) path = path.toLowerCase();
  const segments = path.split('/').slice(1);
  return (sloppy.has('resolves dots') ? resolved(segments) : segments)[0] ?? '';
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function resolved(segments: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const one of segments) {
    if (one === '..') kept.pop();
    else if (one !== '' && one !== '.') kept.push(one);
  }
  return kept;
}

test('no path gets an answer past its route, however sloppily the application reads it', async () => {
  let sloppy: ReadonlySet<string> = new Set();
  const application = await startApplication((request, response) => {
    const isSecret = firstSegment(request.url ?? '', sloppy) === 'customers';
    const body = isSecret ? `{"ssn":"${SECRET}"}` : '{"up":true}';
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  const { proxyPort } = await startProxied(application.url, {
    routes: [{ path: '/customers/**' }],
    otherwise: { pass: true },
  });
  const habits = fc.subarray(['decodes', 'drops parameters', 'folds case', 'resolves dots']);
  await fc.assert(
    fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 6 }), habits, async (segments, habit) => {
      sloppy = new Set(habit);
      const { text } = await call(proxyPort, { method: 'GET', path: `/${segments.join('/')}` });
      expect(text).not.toContain(SECRET);
    }),
    { numRuns: 500 },
  );
});
