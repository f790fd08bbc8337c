import type { Server } from 'node:http';
import _ from 'lodash';
import { stringify } from 'yaml';
import { createApp, type App } from '../../src/compose/app.ts';
import { parseConfiguration } from '../../src/config/load.ts';
import type { Configuration } from '../../src/config/schema.ts';
import type { Lifecycle } from '../../src/places/listener/lifecycle.ts';
import { closeServer, listen } from '../../src/places/listener/server.ts';
import {
  defaultMaxMessage,
  openExternalProcessor,
  type ExternalProcessor,
} from '../../src/places/ext-proc/index.ts';
import type { Logger } from '../../src/telemetry/log/leveled.ts';
import type { LogFormat, LogLevel } from '../../src/telemetry/log/level.ts';
import type { Metrics } from '../../src/telemetry/metrics/metrics.ts';
import type { Pdp } from '../../src/pdp/port.ts';
import { openTracing } from '../../src/telemetry/traces/open.ts';
import { loggerInMemory } from '../telemetry/log/memory-sink.ts';
import { portOf, startStub, stopLater } from '../pdp/transport/setup.ts';
import type { StubAnswer, StubPdp } from '../pdp/stub.ts';

/** What an operator would write, except `port`, which is any free one. Null is as good as not written. */
type Written = Readonly<Record<string, unknown>>;

/** The whole service, listening on loopback. It is stopped by `closeAll`. */
export interface Service {
  readonly port: number;
  readonly url: string;
  /** Everything logged so far, one line an entry. */
  readonly logged: readonly string[];
  readonly lifecycle: Lifecycle;
  /** Undefined where the configuration has no port for them; nobody listens on that. */
  readonly metrics: Metrics | undefined;
  readonly server: Server;
  /** The port of the reverse proxy, if the configuration has one. */
  readonly proxyPort: number | undefined;
  readonly proxyServer: Server | undefined;
  /** Undefined if the configuration has no port for it. */
  readonly processor: ExternalProcessor | undefined;
  /** Where `POST /explain` is, if the configuration has a port for it; that port itself is not used. */
  readonly explainPort: number | undefined;
}

/** A service and the PDP that it asks. */
interface Enforcement extends Service {
  readonly pdp: StubPdp;
}

/** How long a PDP may take unless a test is about that, in milliseconds: no machine is too slow for it. */
export const PATIENCE = 60_000;

/** A decision without rules. */
export const NO_RULES: StubAnswer = { body: '{"tokenValidity":0,"response":[{"access":[]}]}' };

/** Starts the service from the text of a configuration, as the command line does. */
export async function startService(written: Written, level: LogLevel = 'debug'): Promise<Service> {
  const configuration = configured(written);
  const memory = loggerInMemory(formatIn(written), level);
  const tracing = await openTracing(configuration.tracing, memory.logger);
  return listening(await createApp(configuration, memory.logger, { tracing }), configuration, memory);
}

/** The format of log lines, JSON unless the configuration has another. */
function formatIn({ log }: Written): LogFormat {
  return _.get(log, 'format') === 'text' ? 'text' : 'json';
}

/** Starts the service on a PDP adapter that is made for a test. */
export async function startServiceOn(pdp: Pdp): Promise<Service> {
  const memory = loggerInMemory('json', 'debug');
  const configuration = configured({ pdpUrl: 'unused:1' });
  return listening(await createApp(configuration, memory.logger, { pdp }), configuration, memory);
}

function configured(written: Written): Configuration {
  const patient = 'pdpUrl' in written ? { pdpTimeout: PATIENCE } : {};
  return parseConfiguration(stringify({ port: 0, ...patient, ...written }), { file: 'config.yaml' });
}

async function listening(
  app: App,
  configuration: Configuration,
  { logger, sink }: ReturnType<typeof loggerInMemory>,
): Promise<Service> {
  const { lifecycle, metrics, onMalformed } = app;
  const listener = { ...configuration, host: '127.0.0.1', log: logger, onMalformed };
  const server = await listen(app.handler, listener);
  const { proxy } = app;
  const proxyServer = proxy && (await listen(proxy.handler, { ...listener, port: 0, ...proxy.listening }));
  stopLater(async () => {
    await closeServer(server, 0);
    if (proxyServer) await closeServer(proxyServer, 0);
    await app.close();
  });
  const explaining = app.explain && (await listen(app.explain, listener));
  if (explaining) stopLater(async () => void (await closeServer(explaining, 0)));
  const port = portOf(server);
  const scheme = configuration.tls.certFile === undefined ? 'http' : 'https';
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    logged: sink.lines,
    lifecycle,
    metrics,
    server,
    proxyServer,
    proxyPort: proxyServer && portOf(proxyServer),
    processor: await processorOf(app, configuration, logger),
    explainPort: explaining && portOf(explaining),
  };
}

/** The external processor of Envoy, if a port for it is configured. */
async function processorOf(
  { processor, lifecycle }: App,
  configuration: Configuration,
  log: Logger,
): Promise<ExternalProcessor | undefined> {
  const { port, maxMessage = defaultMaxMessage(configuration.maxBody) } = configuration.extProc;
  if (processor === undefined || port === undefined) return undefined;
  const ofProcessor = {
    ...configuration,
    port,
    host: '127.0.0.1',
    maxMessage: maxMessage * 1024 * 1024,
    maxUnfinished: configuration.maxInFlightBody * 1024 * 1024,
    log,
  };
  const opened = await openExternalProcessor({ ...processor, listening: ofProcessor, lifecycle });
  stopLater(async () => opened.close());
  return opened;
}

/** Starts the service, and a stub of a PDP for it to ask. */
export async function startEnforcement(
  answer: Parameters<StubPdp['answer']>[0] = NO_RULES,
  written: Written = {},
  level?: LogLevel,
): Promise<Enforcement> {
  const pdp = await startStub();
  pdp.answer(answer);
  return { ...(await startService({ pdpUrl: pdp.url.href, ...addressed(written, pdp) }, level)), pdp };
}

/** `{pdp}` in the URL of the PDP is where the stub is. */
function addressed(written: Written, { url }: StubPdp): Written {
  const { pdpUrl } = written;
  return typeof pdpUrl === 'string' ? { ...written, pdpUrl: pdpUrl.replace('{pdp}', url.origin) } : written;
}
