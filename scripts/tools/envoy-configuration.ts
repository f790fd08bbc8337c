/** How an Envoy on loopback is configured in tests and benchmarks. */
interface EnvoyOptions {
  /** The port of the application. */
  readonly upstream: number;
  /** Without it, answers pass. */
  readonly processor?: ProcessorFilter;
  /** Filters before the processor's. */
  readonly before?: readonly unknown[];
  /** How much of a body Envoy keeps, in bytes. */
  readonly bufferLimit?: number;
  /** More keys of the connection manager. */
  readonly manager?: Readonly<Record<string, unknown>>;
}

/** The filter that asks an external processor. */
interface ProcessorFilter {
  readonly port: number;
  readonly mode: ProcessingMode;
  /** More keys of the filter. */
  readonly keys?: Readonly<Record<string, unknown>>;
  /** The transport socket of the connections to the processor. */
  readonly tls?: unknown;
}

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

/** The configuration of an Envoy in front of an application, with any free ports. */
export function envoyConfiguration(options: EnvoyOptions): object {
  const { bufferLimit } = options;
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
      clusters: clusters(options),
    },
  };
}

const HTTP2 = {
  'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
    '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
    explicit_http_config: { http2_protocol_options: {} },
  },
};

/** Otherwise, Envoy drops the trailers of upstream before the processor sees them. */
const WITH_TRAILERS = {
  'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
    '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
    explicit_http_config: { http_protocol_options: { enable_trailers: true } },
  },
};

function clusters({ upstream, processor }: EnvoyOptions): readonly object[] {
  const application = { ...cluster('upstream', upstream), typed_extension_protocol_options: WITH_TRAILERS };
  if (processor === undefined) return [application];
  const ofProcessor = {
    ...cluster('processor', processor.port),
    typed_extension_protocol_options: HTTP2,
    ...(processor.tls === undefined ? {} : { transport_socket: processor.tls }),
  };
  return [application, ofProcessor];
}

function cluster(name: string, port: number): object {
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

function address(port: number): object {
  return { socket_address: { address: '127.0.0.1', port_value: port } };
}

function connectionManager({ processor, before = [], manager = {} }: EnvoyOptions): object {
  const route = { match: { prefix: '/' }, route: { cluster: 'upstream', timeout: '0s' } };
  return {
    name: 'envoy.filters.network.http_connection_manager',
    typed_config: {
      '@type':
        'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
      stat_prefix: 'main',
      upgrade_configs: [{ upgrade_type: 'websocket' }],
      http_protocol_options: { enable_trailers: true },
      route_config: { virtual_hosts: [{ name: 'all', domains: ['*'], routes: [route] }] },
      http_filters: [...before, ...(processor === undefined ? [] : [processorFilter(processor)]), ROUTER],
      ...manager,
    },
  };
}

function processorFilter({ mode, keys = {} }: ProcessorFilter): object {
  return {
    name: 'envoy.filters.http.ext_proc',
    typed_config: {
      '@type': 'type.googleapis.com/envoy.extensions.filters.http.ext_proc.v3.ExternalProcessor',
      grpc_service: { envoy_grpc: { cluster_name: 'processor' } },
      processing_mode: mode,
      message_timeout: '30s',
      ...keys,
    },
  };
}

const ROUTER = {
  name: 'envoy.filters.http.router',
  typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
};
