import { scalarText, type Json, type Member } from './model.ts';
import { parseJson } from './parse.ts';

/** The JSON text without any space, every untouched token as it was written. */
export function printJson(value: Json): string {
  if (value.kind === 'array') return `[${value.items.map((item) => printJson(item.value)).join(',')}]`;
  if (value.kind === 'object') return `{${value.members.map(printMember).join(',')}}`;
  return value.kind === 'string' ? value.spelling : (scalarText(value) ?? 'null');
}

function printMember({ spelling, value }: Member): string {
  return `${spelling}:${printJson(value)}`;
}

/** The same JSON text without the space between its tokens: what to compare with the reference's text. */
export function compact(text: string): string {
  return printJson(parseJson(text));
}
