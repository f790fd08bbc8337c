/** The external processor of Envoy (docs/envoy.md). */
import type { ExternalProcessor, ExternalProcessorOptions } from './open.ts';

export type { ExternalProcessor } from './open.ts';
export type { ProcessorOptions } from './processor.ts';
export { defaultMaxMessage, EXT_PROC_KEYS } from './section.ts';

/**
 * Starts to listen to Envoys. What speaks gRPC is loaded only now: it takes time and memory.
 *
 * @throws TlsFilesError, or the system's error if the port is taken, the host unknown, …
 */
export async function openExternalProcessor(options: ExternalProcessorOptions): Promise<ExternalProcessor> {
  const { open } = await import('./open.ts');
  return open(options);
}
