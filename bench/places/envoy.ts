import { existsSync } from 'node:fs';
import { stringify } from 'yaml';
import { ensureEnvoy, startEnvoy } from '../../scripts/tools/envoy.ts';
import { startService, type Contender } from '../service/contender.ts';
import { freePort } from '../../scripts/tools/free-port.ts';
import { ROUTES } from './proxies.ts';

/** @returns the path of the Envoy that the tests have installed; undefined if they have not */
export function envoyProgram(): string | undefined {
  return existsSync('.tools/envoy/lib') ? ensureEnvoy() : undefined;
}

interface EnvoyOptions {
  readonly program: string;
  readonly entry: string;
  readonly pdpPort: number;
  /** Where the application listens. */
  readonly upstream: number;
  readonly policyFile: string;
}

/** Starts an Envoy whose answers the external processor masks, and the same Envoy without that filter. */
export async function startEnvoys(options: EnvoyOptions): Promise<Contender[]> {
  const { program, entry, pdpPort, upstream, policyFile } = options;
  const port = await freePort();
  const extProc = { port, host: '127.0.0.1' };
  const configuration = { extProc, routes: ROUTES, policyFile, pdpUrl: undefined };
  const service = await startService({ name: 'Envoy with the processor', entry, pdpPort, configuration });
  const masking = await startEnvoy(program, stringify(envoyConfiguration(upstream, port)));
  const passing = await startEnvoy(program, stringify(envoyConfiguration(upstream)));
  const end = async (): Promise<void> => {
    await masking.stop();
    await service.stop();
  };
  return [
    { ...service, port: masking.port, stop: end },
    { name: 'Envoy', port: passing.port, pid: 0, masks: false, stop: () => passing.stop() },
  ];
}

/** More than the largest payload: in mode BUFFERED, Envoy keeps the whole answer. */
const BUFFER_LIMIT = 8_388_608;

/** @param processor the port of the external processor; undefined for an Envoy without the filter */
function envoyConfiguration(upstream: number, processor?: number): object {
  return {
    admin: { address: address(0) },
    static_resources: {
      listeners: [
        {
          name: 'main',
          address: address(0),
          per_connection_buffer_limit_bytes: BUFFER_LIMIT,
          filter_chains: [{ filters: [connectionManager(processor !== undefined)] }],
        },
      ],
      clusters: [
        cluster('application', upstream),
        ...(processor === undefined
          ? []
          : [{ ...cluster('masking', processor), typed_extension_protocol_options: HTTP2 }]),
      ],
    },
  };
}

const HTTP2 = {
  'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
    '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
    explicit_http_config: { http2_protocol_options: {} },
  },
};

function connectionManager(isMasking: boolean): object {
  const route = { match: { prefix: '/' }, route: { cluster: 'application' } };
  return {
    name: 'envoy.filters.network.http_connection_manager',
    typed_config: {
      '@type':
        'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
      stat_prefix: 'main',
      route_config: { virtual_hosts: [{ name: 'all', domains: ['*'], routes: [route] }] },
      http_filters: [...(isMasking ? [PROCESSOR] : []), ROUTER],
    },
  };
}

/** As `examples/envoy/envoy.yaml` has it. */
const PROCESSOR = {
  name: 'envoy.filters.http.ext_proc',
  typed_config: {
    '@type': 'type.googleapis.com/envoy.extensions.filters.http.ext_proc.v3.ExternalProcessor',
    grpc_service: { envoy_grpc: { cluster_name: 'masking' } },
    failure_mode_allow: false,
    message_timeout: '10s',
    allow_mode_override: true,
    processing_mode: { response_body_mode: 'BUFFERED', response_trailer_mode: 'SEND' },
  },
};

const ROUTER = {
  name: 'envoy.filters.http.router',
  typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
};

function cluster(name: string, port: number): object {
  const endpoints = [{ lb_endpoints: [{ endpoint: { address: address(port) } }] }];
  return {
    name,
    type: 'STATIC',
    connect_timeout: '5s',
    load_assignment: { cluster_name: name, endpoints },
  };
}

function address(port: number): object {
  return { socket_address: { address: '127.0.0.1', port_value: port } };
}
