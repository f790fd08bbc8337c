import { readFileSync } from 'node:fs';
import { CONFIGURATION_KEYS, type ConfigurationKey } from '../../../src/config/keys.ts';
import { documentedValues, type DocumentedValue } from './documented-values.ts';

const START = '<!-- values -->';
const END = '<!-- /values -->';

/** A default that is longer is only pointed at. */
const LONGEST_DEFAULT = 40;

/** @param page has those that are longer */
function code(value: unknown, page: string): string {
  const text = JSON.stringify(value);
  return text.length > LONGEST_DEFAULT ? `see \`${page}\`` : `\`${text}\``;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function keyRow({ key, required, default: value, description }: ConfigurationKey): readonly string[] {
  const written = value === undefined ? 'none' : code(value, 'docs/configuration.md');
  return [`\`config.${key}\``, required ? '**required**' : written, description];
}

/** The row of a value; those of the service's own keys follow that of its configuration. */
function rowsOf({ path, value, description }: DocumentedValue): readonly (readonly string[])[] {
  const name = path.join('.');
  const own = [`\`${name}\``, code(value, 'values.yaml'), description];
  return name === 'config' ? [own, ...CONFIGURATION_KEYS.map(keyRow)] : [own];
}

function tableOf(chart: string): string {
  const rows = documentedValues(chart).flatMap(rowsOf);
  return [['Value', 'Default', 'Meaning'], ['---', '---', '---'], ...rows].map(row).join('\n');
}

/**
 * The README of a chart, with the table of its values between the two marks; the rest is written by hand.
 *
 * @param chart the chart's folder
 */
export function chartReadme(chart: string): string {
  const written = readFileSync(`${chart}/README.md`, 'utf8');
  const [before, , after] = written.split(new RegExp(`(${START}[^]*${END})`));
  if (before === undefined || after === undefined)
    throw new Error(`${chart}/README.md has no ${START} … ${END}`);
  return `${before}${START}\n\n${tableOf(chart)}\n\n${END}${after}`;
}
