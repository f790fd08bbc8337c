import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import {
  Server as GrpcServer,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerDuplexStream,
} from '@grpc/grpc-js';
import _ from 'lodash';
import { Room } from '../../room.ts';
import type { Logger } from '../../telemetry/log/index.ts';
import { loadTls, type TlsSettings } from '../listener/index.ts';
import { registerHealth } from './health.ts';
import { decodeOurselves } from './message-decoder.ts';
import { readProcessingRequest, type ProcessingRequest } from './protocol/request.ts';
import { WireReader } from './protocol/wire.ts';

const PROCESS = '/envoy.service.ext_proc.v3.ExternalProcessor/Process';

/** Each Envoy has one connection for each of its workers, unless one has too many streams. */
const MAX_CONNECTIONS = 1024;
const MAX_STREAMS_PER_CONNECTION = 1024;

/**
 * How many streams Envoy may reset at once, and then in a second: it resets each one when it has all that it needs. By itself Node.js
 * takes 33 a second, after the first thousand, for an attack, and closes the connection. So it does after a hundred streams that it
 * refuses because those that were reset with them still count.
 */
const STREAM_RESETS = {
  streamResetBurst: 100_000,
  streamResetRate: 100_000,
  maxSessionRejectedStreams: 100_000,
};

/** After so long without a byte, the peer has to show that it is there, and has so long for it. Milliseconds. */
const KEEPALIVE_TIME = 30_000;
const KEEPALIVE_TIMEOUT = 10_000;

/** A stream of one HTTP exchange. */
export type ProcessStream = ServerDuplexStream<ProcessingRequest, Buffer>;

export interface ProcessorListenOptions {
  readonly host: string | undefined;
  readonly port: number;
  /** The longest message that is taken, in bytes. */
  readonly maxMessage: number;
  /** How much memory all messages may take that have not arrived in full, in bytes; one may take as much as it needs. */
  readonly maxUnfinished: number;
  /** How long TLS may take to be agreed upon, in milliseconds. */
  readonly headersTimeout: number;
  readonly tls: TlsSettings;
  readonly log: Logger;
  /** Whether Envoy should send new exchanges here. */
  readonly isServing: () => boolean;
  readonly onStream: (stream: ProcessStream) => void;
}

/** What listens to Envoys. */
export interface ProcessorListener {
  readonly port: number;
  /** Takes no more connections. */
  stopAccepting(): void;
  /**
   * Sends GOAWAY: Envoy opens no more streams here, and those that are open go on. Resolves when the last of them has ended
   * and its connection is closed.
   */
  goAway(): Promise<void>;
  /** Cuts every connection. */
  destroy(): void;
}

/**
 * Starts to listen: HTTP/2, over TLS if that is configured.
 *
 * @throws TlsFilesError, or the system's error if the port is taken, the host unknown, …
 */
export async function listenToEnvoy(options: ProcessorListenOptions): Promise<ProcessorListener> {
  const grpc = grpcServer(options);
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const sockets = new Set<Socket>();
  const server = await socketServer(options, sockets, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // The library stops listening to a socket when it has sent GOAWAY. Envoy may reset the connection then.
    socket.on('error', () => socket.destroy());
    injector.injectConnection(socket);
  });
  server.maxConnections = MAX_CONNECTIONS;
  const { host, port } = options;
  server.listen({ port, ...(host === undefined ? {} : { host }) });
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    stopAccepting: () => void server.close(),
    async goAway() {
      const closed = Array.from(sockets, closing);
      injector.destroy();
      await Promise.all(closed);
    },
    destroy() {
      server.close();
      for (const socket of sockets) socket.destroy();
      grpc.forceShutdown();
    },
  };
}

/** Resolves when a socket is closed, also after an error, with which `once` of `node:events` would reject. */
function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function grpcServer({ maxMessage, maxUnfinished, isServing, onStream }: ProcessorListenOptions): GrpcServer {
  const room = new Room(Math.max(maxUnfinished, maxMessage));
  const grpc = new GrpcServer({
    'grpc.max_receive_message_length': maxMessage,
    'grpc.max_send_message_length': -1,
    'grpc.max_concurrent_streams': MAX_STREAMS_PER_CONNECTION,
    'grpc.keepalive_time_ms': KEEPALIVE_TIME,
    'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT,
    'grpc.enable_channelz': 0,
    interceptors: [
      (_method, call) => {
        decodeOurselves(call, maxMessage, room);
        return new ServerInterceptingCall(call);
      },
    ],
  });
  // The library has no option for them.
  const http2Options: unknown = _.get(grpc, 'commonServerOptions');
  if (_.isObject(http2Options)) Object.assign(http2Options, STREAM_RESETS);
  grpc.register<ProcessingRequest, Buffer>(
    PROCESS,
    (stream: ProcessStream) => onStream(stream),
    (bytes) => bytes,
    (bytes) => readProcessingRequest(new WireReader(bytes)),
    'bidi',
  );
  registerHealth(grpc, isServing);
  return grpc;
}

/** TLS is agreed upon here and not by the gRPC library, so that certificates are handled as on every other port. */
async function socketServer(
  { tls, log, headersTimeout }: ProcessorListenOptions,
  sockets: ReadonlySet<Socket>,
  onSocket: (socket: Socket) => void,
): Promise<Server> {
  if (tls.certFile === undefined) return createServer(onSocket);
  const { reloadOnChange, secureOptions } = await loadTls();
  const secure = secureOptions(tls);
  const options = { ...secure, ALPNProtocols: ['h2'], handshakeTimeout: headersTimeout };
  const server = createTlsServer(options);
  // Node.js only reports that a handshake fails or takes too long. Without this, such connections would stay, up to MAX_CONNECTIONS.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  reloadOnChange(server, { tls, read: secure, log, end: (isMeant) => endSockets(sockets, isMeant) });
  return server.on('secureConnection', (socket) => {
    if (!socket.destroyed) onSocket(socket);
  });
}

function endSockets(sockets: ReadonlySet<Socket>, isMeant: (socket: Socket) => boolean): number {
  const meant = [...sockets].filter(isMeant);
  for (const socket of meant) socket.destroy();
  return meant.length;
}
