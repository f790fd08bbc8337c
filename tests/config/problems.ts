import { parseConfiguration } from '../../src/config/load.ts';
import { ConfigurationError } from '../../src/yaml/problem.ts';

/** What a text is refused for. */
export function refusalOf(text: string): ConfigurationError {
  try {
    parseConfiguration(text, { file: 'config.yaml' });
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('The configuration was accepted');
}

/** The problems of a text as they are printed, without the heading and the indentation. */
export function problemsIn(text: string): readonly string[] {
  return refusalOf(text)
    .message.split('\n')
    .slice(1)
    .map((line) => line.trim());
}
