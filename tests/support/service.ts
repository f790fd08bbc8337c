import type { RequestListener, Server } from 'node:http';
import { stringify } from 'yaml';
import { createApp } from '../../src/app.ts';
import { parseConfiguration } from '../../src/config/load.ts';
import type { Configuration } from '../../src/config/schema.ts';
import { createHttpApp } from '../../src/http/http-app.ts';
import { Lifecycle } from '../../src/http/lifecycle.ts';
import { closeServer, listen } from '../../src/http/server.ts';
import type { LogLevel } from '../../src/logging/level.ts';
import type { PdpPort } from '../../src/pdp/port.ts';
import { loggerInMemory } from '../logging/memory-sink.ts';
import { portOf, startStub, stopLater } from '../pdp/http/setup.ts';
import type { StubAnswer, StubPdp } from '../pdp/stub.ts';

/** What an operator would write, save `port`, which is any free one. Null is as good as not written. */
type Written = Readonly<Record<string, unknown>>;

/** The whole service, listening on loopback. It is stopped by `closeAll`. */
export interface Service {
  readonly port: number;
  readonly url: string;
  /** Everything logged so far, one line an entry. */
  readonly logged: readonly string[];
  readonly lifecycle: Lifecycle;
  readonly server: Server;
}

/** A service and the PDP that it asks. */
interface Enforcement extends Service {
  readonly pdp: StubPdp;
}

/** A decision without rules. */
export const NO_RULES: StubAnswer = { body: '{"tokenValidity":0,"response":[{"access":[]}]}' };

/** Starts the service from the text of a configuration, as the command line does. */
export async function startService(written: Written, level: LogLevel = 'debug'): Promise<Service> {
  const configuration = configured(written);
  const { logger, sink } = loggerInMemory('json', level);
  const app = createApp(configuration, logger);
  stopLater(() => app.close());
  return listening(app.handler, app.lifecycle, sink.lines);
}

/** Starts the service on a PDP adapter that is made for a test. */
export async function startServiceOn(pdp: PdpPort): Promise<Service> {
  const { logger, sink } = loggerInMemory('json', 'debug');
  const lifecycle = new Lifecycle();
  const configuration = configured({ pdpUrl: 'unused:1' });
  const handler = createHttpApp({ pdp, configuration, maxBody: 1_000_000, lifecycle, log: logger });
  return listening(handler, lifecycle, sink.lines);
}

function configured(written: Written): Configuration {
  return parseConfiguration(stringify({ port: 0, ...written }), { file: 'config.yaml' });
}

async function listening(
  handler: RequestListener,
  lifecycle: Lifecycle,
  logged: readonly string[],
): Promise<Service> {
  const server = await listen(handler, { host: '127.0.0.1', port: 0 });
  stopLater(async () => {
    server.closeAllConnections();
    await closeServer(server);
  });
  const port = portOf(server);
  return { port, url: `http://127.0.0.1:${port}`, logged, lifecycle, server };
}

/** Starts the service, and a stub of a PDP for it to ask. */
export async function startEnforcement(
  answer: StubAnswer = NO_RULES,
  written: Written = {},
  level?: LogLevel,
): Promise<Enforcement> {
  const pdp = await startStub(answer);
  return { ...(await startService({ pdpUrl: pdp.url.href, ...written }, level)), pdp };
}
