import process from 'node:process';
import type { Command } from 'commander';
import { openInProcess } from '../compose/index.ts';
import type { Configuration } from '../config/index.ts';
import { intentFrom, type Intent } from '../enforcement/index.ts';
import { ServiceError } from '../errors.ts';
import { notEnforced, vendorFrom, type Enforcing } from '../places/command-line/index.ts';
import { createLogger, streamSink } from '../telemetry/log/index.ts';
import { configurationFrom, type PolicyOptions } from './policy-options.ts';

/** How deep options may nest, in levels of objects and arrays. */
const MAX_DEPTH = 1024;

/** Does something with what the options of a command say to enforce with, and lets go of it. */
export async function enforcingBy(
  options: PolicyOptions,
  command: Command,
  act: (enforcing: Enforcing, configuration: Configuration) => Promise<void>,
): Promise<void> {
  const configuration = await configurationFrom(options, command);
  const log = createLogger({
    level: configuration.log.level,
    format: 'text',
    sink: streamSink(process.stderr),
  });
  const enforcement = openInProcess(configuration, log);
  try {
    await act({ ...enforcement, log, intent: intentOf(options) }, configuration);
  } finally {
    await enforcement.close();
    await log.close();
  }
}

function intentOf({ as, vendor, parameters }: PolicyOptions): Intent {
  try {
    return { ...intentFrom({ vendor: vendorFrom(as, vendor), parameters }, MAX_DEPTH), headers: [] };
  } catch (error) {
    throw error instanceof ServiceError ? notEnforced('The options', error) : error;
  }
}
