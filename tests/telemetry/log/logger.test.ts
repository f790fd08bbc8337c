import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { LOG_LEVELS } from '../../../src/telemetry/log/level.ts';
import type { LogLevel } from '../../../src/telemetry/log/level.ts';
import type { Logger } from '../../../src/telemetry/log/leveled.ts';
import { loggerInMemory } from './memory-sink.ts';

const LOGGER_MODULE = pathToFileURL(path.resolve('src', 'telemetry', 'log', 'logger.ts')).href;

function script(body: string): readonly string[] {
  const source = `import { createLogger } from ${JSON.stringify(LOGGER_MODULE)};\n${body}`;
  return ['--input-type=module-typescript', '--eval', source];
}

function logAtEveryLevel(logger: Logger): void {
  for (const level of LOG_LEVELS) logger[level](`at ${level}`);
}

function levelsIn(lines: readonly string[]): readonly string[] {
  return lines.map((line) => /"level":"(\w+)"/.exec(line)?.[1] ?? '');
}

describe('levels', () => {
  test.each<[LogLevel, readonly LogLevel[]]>([
    ['error', ['error']],
    ['warn', ['error', 'warn']],
    ['info', ['error', 'warn', 'info']],
    ['debug', ['error', 'warn', 'info', 'debug']],
  ])('%s writes %j', async (level, expected) => {
    const { logger, sink } = loggerInMemory('json', level);
    logAtEveryLevel(logger);
    await logger.close();
    expect(levelsIn(sink.lines)).toEqual(expected);
  });

  test('say beforehand whether an entry would be written', () => {
    const { logger } = loggerInMemory('json', 'warn');
    expect(LOG_LEVELS.filter((level) => logger.isLevelEnabled(level))).toEqual(['error', 'warn']);
  });

  test('change at run time, for children too', async () => {
    const { logger, sink } = loggerInMemory('json', 'error');
    const child = logger.child({ requestId: 'r1' });
    child.info('before');
    logger.setLevel('debug');
    child.debug('after');
    expect(child.isLevelEnabled('debug')).toBe(true);
    logger.setLevel('error');
    child.info('afterwards');
    await logger.close();
    expect(sink.lines).toEqual([expect.stringContaining('"after"')]);
  });

  test('that are not written cost no look at the fields', async () => {
    const { logger, sink } = loggerInMemory();
    let looks = 0;
    const fields = {
      get costly() {
        looks += 1;
        return looks;
      },
    };
    logger.debug('quiet', { fields });
    logger.info('loud', { fields });
    await logger.close();
    expect(sink.lines).toEqual([expect.stringContaining('"costly":1')]);
  });
});

describe('a child', () => {
  test('adds its fields to every entry, and its own children add theirs', async () => {
    const { logger, sink } = loggerInMemory('text');
    const child = logger.child({ requestId: 'r1', part: 'http' });
    child.info('one');
    child.child({ part: 'pdp' }).warn('two', { status: 502 });
    logger.info('three');
    await logger.close();
    expect(sink.lines.map((line) => line.replace(/^\S+ /, ''))).toEqual([
      'requestId=r1 part=http INFO one',
      'requestId=r1 part=pdp WARN two status=502',
      'INFO three',
    ]);
  });

  test('yields to the fields of the entry', async () => {
    const { logger, sink } = loggerInMemory('text');
    logger.child({ user: 'a' }).info('one', { user: 'b' });
    await logger.close();
    expect(sink.lines).toEqual([expect.stringMatching(/Z INFO one user=b$/)]);
  });
});

describe('closing', () => {
  test('writes everything that was logged before, in order, and then closes the sink', async () => {
    const { logger, sink } = loggerInMemory('text');
    const messages = Array.from({ length: 1000 }, (_, index) => `entry ${index}`);
    for (const message of messages) logger.info(message);
    await logger.close();
    expect(sink.lines.map((line) => line.replace(/^\S+ INFO /, ''))).toEqual(messages);
    expect(sink.closed).toBe(true);
  });

  test('drops what is logged afterwards, and may be asked for twice', async () => {
    const { logger, sink } = loggerInMemory();
    const child = logger.child({ requestId: 'r1' });
    await logger.close();
    logger.error('late');
    child.error('late');
    await logger.close();
    expect(logger.isLevelEnabled('error')).toBe(false);
    expect(sink.lines).toEqual([]);
  });
});

describe('a sink that loses lines', () => {
  test.each(['json', 'text'] as const)(
    'is said to have done so once others got through: %s',
    async (format) => {
      const { logger, sink } = loggerInMemory(format);
      await nextTurn();
      sink.failing = true;
      logger.info('lost');
      logger.info('lost too');
      sink.failing = false;
      for (const message of ['one', 'two', 'three']) logger.info(message);
      await logger.close();
      expect(sink.lines).toEqual([
        expect.stringContaining('one'),
        expect.stringMatching(/Log entries lost.*lostSinceStart\W+2/),
        expect.stringContaining('two'),
        expect.stringContaining('three'),
      ]);
    },
  );
});

describe('standard output', () => {
  test('has everything, also when the process ends right after closing', async () => {
    const body = `
      const logger = createLogger({ level: 'info', format: 'json' });
      for (let entry = 0; entry < 5000; entry += 1) logger.info('entry', { entry });
      await logger.close();
      process.exit(0);`;
    const lines = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, script(body), { maxBuffer: 2 ** 24 }, (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      );
    });
    expect(lines.trimEnd().split('\n')).toHaveLength(5000);
    expect(lines).toContain('"entry":4999}\n');
  });

  test('that nobody reads any more neither ends nor blocks the process', async () => {
    const body = `
      const logger = createLogger({ level: 'info', format: 'json' });
      process.stdin.once('data', async () => {
        for (let entry = 0; entry < 100; entry += 1) {
          logger.info('entry');
          await new Promise((resolve) => setImmediate(resolve));
        }
        await logger.close();
        process.stderr.write('still here');
        process.exit(0);
      });
      process.stderr.write('ready ');`;
    const child = spawn(process.execPath, script(body));
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    await once(child.stderr, 'data');
    child.stdout.destroy();
    child.stdin.end('go');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stderr).toBe('ready still here');
  });
});
