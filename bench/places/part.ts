import type { Effort } from '../measure/paired.ts';
import type { PlacesResult, ServicePoint } from '../report/results.ts';
import { portOf, startModule, stop } from '../service/child.ts';
import type { Contender } from '../service/contender.ts';
import { measureField, type Field, type ServiceEffort, type ServiceOptions } from '../service/part.ts';
import { findEnvoy } from '../../scripts/tools/envoy.ts';
import { startEnvoys } from './envoy.ts';
import { measureLibrary } from './library.ts';
import { startNginx } from './nginx.ts';
import { writePolicies } from './policies.ts';
import { startProxy, startProxyByHand } from './proxies.ts';
import { measureStreams } from './streams.ts';

/** How much of the places is measured. */
export interface PlacesEffort {
  /** Of the proxy. The library is measured with the same payloads. */
  readonly effort: ServiceEffort;
  readonly processor: ServiceEffort;
  /** How long the streams of records are, in bytes. */
  readonly streams: number;
}

interface PlacesOptions extends PlacesEffort, ServiceOptions {
  readonly library: Effort;
  /** For what is written on the way. */
  readonly folder: string;
}

/** Measures the places besides `/enforce`: the library, the reverse proxy and the external processor of Envoy. */
export async function measurePlaces(options: PlacesOptions): Promise<PlacesResult> {
  const policyFile = writePolicies(options.folder);
  const { kilobytes } = options.effort;
  const library = await measureLibrary({ ...options, effort: options.library, kilobytes, policyFile });
  const application = startModule('places/application.ts');
  try {
    const upstream = await portOf(application);
    const proxy = await measureProxy(options, upstream, policyFile);
    const processor = await measureProcessor(options, upstream, policyFile);
    const { entry, say } = options;
    const streams = await measureStreams({ entry, upstream, policyFile, bytes: options.streams, say });
    return { library, proxy, processor, streams };
  } finally {
    await stop(application);
  }
}

function measureProxy(
  { effort, entry, say }: PlacesOptions,
  upstream: number,
  policyFile: string,
): Promise<ServicePoint[]> {
  const start = async (pdpPort: number): Promise<Contender[]> => {
    const options = { entry, pdpPort, upstream };
    const embedded = { policyFile, pdpUrl: undefined };
    const nginx = await startNginx(upstream);
    if (nginx === undefined) say('nginx is left out: make tools installs it');
    return [
      await startProxy({ ...options, name: 'proxy', configuration: embedded }),
      await startProxyByHand(upstream),
      await startProxy({ ...options, name: 'proxy (PDP over HTTP)' }),
      ...(nginx ? [nginx] : []),
    ];
  };
  return measureField({ effort, say }, { start, baseline: 'by hand', source: 'application' });
}

async function measureProcessor(
  { processor: effort, entry, say }: PlacesOptions,
  upstream: number,
  policyFile: string,
): Promise<ServicePoint[]> {
  const program = findEnvoy();
  if (program === undefined) {
    say('Envoy is left out: make tools installs it');
    return [];
  }
  const start: Field['start'] = (pdpPort) => startEnvoys({ program, entry, pdpPort, upstream, policyFile });
  return measureField({ effort, say }, { start, baseline: 'Envoy', source: 'application' });
}
