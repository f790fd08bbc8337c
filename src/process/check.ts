import { loadFileCheck } from '../compose/index.ts';
import { loadConfiguration, type Configuration } from '../config/index.ts';
import { loadLogger, type RootLogger } from '../telemetry/log/index.ts';
import { StartFailure } from './failure.ts';

/**
 * Verifies a configuration, and the files that it names, without starting anything.
 *
 * @returns what to print
 * @throws ConfigurationError, or StartFailure if the files of `tls` cannot be used
 */
export async function check(file: string): Promise<string> {
  const configuration = await loadConfiguration(file);
  const { checkFiles } = await loadFileCheck();
  const logs: RootLogger[] = [];
  await checkFiles(configuration, async () => {
    const { createLogger } = await loadLogger();
    const log = createLogger(configuration.log);
    logs.push(log);
    return log;
  });
  await checkTlsFiles(configuration);
  await Promise.all(logs.map((log) => log.close()));
  return `${file}: the configuration is valid.`;
}

async function checkTlsFiles({ tls }: Configuration): Promise<void> {
  if (tls.certFile === undefined) return;
  const { TlsFilesError, loadTls } = await import('../places/listener/index.ts');
  const { readTlsFiles } = await loadTls();
  await readTlsFiles(tls).catch((error: unknown) => {
    throw error instanceof TlsFilesError ? new StartFailure(error.message) : error;
  });
}
