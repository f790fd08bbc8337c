import { loadFileCheck } from '../compose/index.ts';
import { loadConfiguration } from '../config/index.ts';
import { loadLogger, type RootLogger } from '../telemetry/log/index.ts';

/**
 * Verifies a configuration, and the files that it names, without starting anything.
 *
 * @param sha256 of the file, if no other file is to be read
 * @returns what to print
 * @throws ConfigurationError with everything that is wrong
 */
export async function check(file: string, sha256?: string): Promise<string> {
  const configuration = await loadConfiguration(file, {}, sha256);
  const { checkFiles } = await loadFileCheck();
  const logs: RootLogger[] = [];
  await checkFiles(configuration, async () => {
    const { createLogger } = await loadLogger();
    const log = createLogger(configuration.log);
    logs.push(log);
    return log;
  });
  await Promise.all(logs.map((log) => log.close()));
  return `${file}: the configuration is valid.`;
}
