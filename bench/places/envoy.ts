import { stringify } from 'yaml';
import { startEnvoy } from '../../scripts/tools/envoy.ts';
import { BUFFERED, envoyConfiguration } from '../../scripts/tools/envoy-configuration.ts';
import { startService, type Contender } from '../service/contender.ts';
import { freePort } from '../../scripts/tools/free-port.ts';
import { ROUTES } from './proxies.ts';

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
  const processor = { port, mode: BUFFERED, keys: FILTER };
  const masking = await startEnvoy(
    program,
    stringify(envoyConfiguration({ upstream, processor, bufferLimit })),
  );
  const passing = await startEnvoy(program, stringify(envoyConfiguration({ upstream, bufferLimit })));
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
const bufferLimit = 8_388_608;

/** As `examples/envoy/envoy.yaml` has it. */
const FILTER = { failure_mode_allow: false, message_timeout: '10s', allow_mode_override: true };
