import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { stringify } from 'yaml';
import { findEnvoy, startEnvoy, type Envoy } from '../../../scripts/tools/envoy.ts';
import { envoyConfiguration } from '../../../scripts/tools/envoy-configuration.ts';
import { needed } from '../../support/tools.ts';
import { listening, portOf, stopLater } from '../../pdp/transport/setup.ts';

const { describe, program } = needed('envoy', findEnvoy());

/** Describes tests with a real Envoy. */
export const describeEnvoy = describe;

/** An Envoy in front of an upstream, which asks a processor. It is stopped by `closeAll`. */
export async function startRealEnvoy(options: Parameters<typeof envoyConfiguration>[0]): Promise<Envoy> {
  const envoy = await startEnvoy(program, stringify(envoyConfiguration(options)));
  stopLater(() => envoy.stop());
  return envoy;
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
  const server = createServer(listener);
  await listening(server);
  return { port: portOf(server), requests };
}
