import { errorIn, type Configuration } from '../config/index.ts';
import { MaskKeysError, openMaskKeys, type MaskKeyFiles } from '../files/index.ts';
import type { Logger } from '../telemetry/log/index.ts';

/**
 * The keys of hashes of a configuration.
 *
 * @throws ConfigurationError if a key cannot be used
 */
export async function openConfiguredKeys(
  configuration: Configuration,
  log: Pick<Logger, 'info' | 'error'>,
): Promise<MaskKeyFiles> {
  try {
    return await openMaskKeys(configuration.maskKeys, (key, reason) => {
      if (reason === undefined) log.info('Mask key reloaded', { key });
      else log.error('Mask key reload failed; keeping the current key', { key, reason });
    });
  } catch (error) {
    if (!(error instanceof MaskKeysError)) throw error;
    const problems = error.problems.map(({ name, message }) => ({ key: `maskKeys.${name}.file`, message }));
    throw errorIn(configuration, problems);
  }
}
