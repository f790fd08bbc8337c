import { startService } from '../service/contender.ts';
import { measureField, type ServiceOptions } from '../service/part.ts';
import type { Effort } from '../measure/paired.ts';
import type { ProtocolsResult } from '../report/results.ts';
import { measureReading } from './reading.ts';

const RESOLUTION = 'resolution';
/** OPA's data API, by a path that the benchmark's PDP answers with a rules document. */
const OPA_PATH = '/v1/data/masking/decision';

interface ProtocolsOptions extends ServiceOptions {
  readonly reading: Effort;
}

/** Measures the other protocols of PDPs against the specification's: reading their answers, and the whole service. */
export async function measureProtocols(options: ProtocolsOptions): Promise<ProtocolsResult> {
  const { entry, say } = options;
  const reading = await measureReading(options.reading, say);
  const service = await measureField(options, {
    baseline: RESOLUTION,
    start: (pdpPort) =>
      Promise.all([
        startService({ entry, pdpPort, name: 'OPA data API', configuration: opa(pdpPort) }),
        startService({ entry, pdpPort, name: RESOLUTION }),
      ]),
  });
  return { reading, service };
}

function opa(pdpPort: number): object {
  return { pdpProtocol: 'opa', pdpUrl: `http://127.0.0.1:${pdpPort}${OPA_PATH}` };
}
