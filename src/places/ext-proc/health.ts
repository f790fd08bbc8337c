import { status, type Server } from '@grpc/grpc-js';
import { bytesOf, uintField, type Encoded } from './protocol/encoded.ts';
import { WireReader } from './protocol/wire.ts';

const CHECK = '/grpc.health.v1.Health/Check';
/** Field 1 of both messages: the service that is asked about, and its status. */
const SERVICE = 1;
const STATUS = 1;
const SERVING = 1;
const NOT_SERVING = 2;
const KNOWN: ReadonlySet<string> = new Set(['', 'envoy.service.ext_proc.v3.ExternalProcessor']);

/** The library takes an empty text for no message at all, so the name is a member. */
interface HealthRequest {
  readonly service: string;
}

/** `grpc.health.v1`, which Envoy and the probes of Kubernetes ask. */
export function registerHealth(server: Server, isServing: () => boolean): void {
  server.register<HealthRequest, Encoded>(
    CHECK,
    (
      { request }: { readonly request: HealthRequest },
      answer: (error: object | null, value?: Encoded) => void,
    ) => {
      if (KNOWN.has(request.service)) answer(null, uintField(STATUS, isServing() ? SERVING : NOT_SERVING));
      else answer({ code: status.NOT_FOUND, details: 'This service is not known here.' });
    },
    bytesOf,
    (bytes) => ({ service: serviceIn(new WireReader(bytes)) }),
    'unary',
  );
}

function serviceIn(reader: WireReader): string {
  let service = '';
  for (let number = reader.next(); number !== undefined; number = reader.next()) {
    if (number === SERVICE) service = reader.string();
    else reader.skip();
  }
  return service;
}
