import type { StubAnswer, StubPdp } from '../../pdp/stub.ts';
import { call, type Answer, type Call } from '../../support/caller.ts';
import { startEnforcement, type Service } from '../../support/service.ts';
import { startRealEnvoy, startUpstream, type Answering, type Upstream } from './envoy.ts';
import type { Envoy } from '../../../scripts/tools/envoy.ts';
import { BUFFERED, type ProcessingMode } from '../../../scripts/tools/envoy-configuration.ts';

/** Masks `ssn`. */
export const MASK_SSN: StubAnswer = {
  body: JSON.stringify({
    tokenValidity: 0,
    response: [
      {
        access: [
          {
            path: 'ssn',
            resourceType: 'columns',
            attributes: { column: ['ssn'] },
            actions: [{ action: 'MASK' }],
          },
        ],
      },
    ],
  }),
};

interface Chain extends Service {
  readonly pdp: StubPdp;
  readonly envoy: Envoy;
  readonly upstream: Upstream;
}

interface ChainOptions {
  readonly answer?: Answering;
  /** Where another application than that listens. */
  readonly upstreamPort?: number;
  readonly mode?: ProcessingMode;
  readonly decision?: Parameters<StubPdp['answer']>[0];
  /** Keys of the service. */
  readonly written?: Readonly<Record<string, unknown>>;
  /** Keys of Envoy's filter. */
  readonly filter?: Readonly<Record<string, unknown>>;
  readonly bufferLimit?: number;
  /** Keys of Envoy's connection manager. */
  readonly manager?: Readonly<Record<string, unknown>>;
  readonly before?: readonly unknown[];
  readonly processorTls?: unknown;
  /** Starts what is between Envoy and the service. @returns where that listens */
  readonly between?: (port: number) => Promise<number>;
}

/** A client's way: Envoy, which asks the service and an application. All of it is stopped by `closeAll`. */
export async function startChain({
  answer = () => undefined,
  upstreamPort,
  mode = BUFFERED,
  decision = MASK_SSN,
  written = {},
  filter = {},
  processorTls: tls,
  between = (port) => Promise.resolve(port),
  ...envoyOptions
}: ChainOptions): Promise<Chain> {
  const service = await startEnforcement(decision, {
    attrName: 'column',
    otherwise: { vendor: { entityId: 'jane' } },
    extProc: { port: 0 },
    ...written,
  });
  const upstream = await startUpstream(answer);
  const port = await between(service.processor?.port ?? 0);
  const processor = { port, mode, keys: filter, tls };
  const envoy = await startRealEnvoy({ upstream: upstreamPort ?? upstream.port, processor, ...envoyOptions });
  return { ...service, envoy, upstream };
}

/** A GET of a client of Envoy. */
export function get(envoy: Envoy, options: Omit<Call, 'body'> = {}): Promise<Answer> {
  return call(envoy.port, { method: 'GET', path: '/', ...options });
}

/** Answers with JSON. */
export function json(value: unknown, headers: Readonly<Record<string, string>> = {}): Answering {
  return (response) => {
    const body = Buffer.from(JSON.stringify(value));
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': body.length,
      ...headers,
    });
    response.end(body);
  };
}

/** An application that answers when it is told to. */
export function held(answer: Answering): { readonly answer: Answering; readonly finish: () => void } {
  const waiting: (() => void)[] = [];
  return {
    answer: (response, request) => void waiting.push(() => answer(response, request)),
    finish: () => waiting.splice(0).forEach((one) => one()),
  };
}
