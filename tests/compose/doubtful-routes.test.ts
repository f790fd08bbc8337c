import { expect, test } from '@jest/globals';
import { areDoubtful, warnOfRoutes } from '../../src/compose/doubtful-routes.ts';
import { parseConfiguration } from '../../src/config/load.ts';
import { compileRoutes, type Routes } from '../../src/places/routes/index.ts';
import { loggerInMemory } from '../telemetry/log/memory-sink.ts';

/** The routes of a proxy. */
function routesOf(...routes: readonly string[]): Routes {
  const proxy = 'proxy: { port: 0, upstream: "http://127.0.0.1:9000" }';
  const text = `port: 0\npdpUrl: pdp:1\n${proxy}\nroutes: [${routes.join(', ')}]\n`;
  return compileRoutes(parseConfiguration(text, { file: 'config.yaml' }));
}

async function warned(routes: Routes): Promise<readonly unknown[]> {
  const { logger, sink } = loggerInMemory();
  warnOfRoutes(routes, logger);
  await logger.close();
  return sink.lines.map((line): unknown => JSON.parse(line));
}

test('routes that are all reached and use no header field are not doubtful', async () => {
  const routes = routesOf('{ path: /a, refuse: true }', '{ path: /** }');
  expect(areDoubtful(routes)).toBe(false);
  expect(await warned(routes)).toEqual([]);
});

test('routes are doubtful if they use a header field that is dropped', async () => {
  const routes = routesOf('{ path: /**, vendor: { entityId: "${headers.x-user}" } }');
  expect(areDoubtful(routes)).toBe(true);
  expect(await warned(routes)).toEqual([expect.objectContaining({ level: 'warn', headers: ['x-user'] })]);
});

test('a warning names the first ten routes that are never reached', async () => {
  const shadowed = Array.from({ length: 12 }, (_, i) => `{ path: /p${i}, refuse: true }`);
  const routes = routesOf('{ path: /** }', ...shadowed);
  expect(areDoubtful(routes)).toBe(true);
  expect(await warned(routes)).toMatchObject([
    {
      level: 'warn',
      message: 'Routes are never reached: one above takes all of their requests',
      routes: Array.from({ length: 10 }, (_, i) => expect.stringContaining(`/p${i}`)),
    },
  ]);
});
