import type { Path, Segment } from './path.ts';

const DOT_STEP = /\.(?<descent>\.)?(?:(?<star>\*)|(?<name>[^\s.*[\]'"()?@^~,:]+))/uy;
const BRACKET_STEP = /(?<descent>\.\.)?\[(?<inside>(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^'"\]])*)\]/uy;
const OPTION = /\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,'"]*)\s*(?:,|$)/uy;

/** Parses what follows the `$` of a JSONPath; undefined if it cannot be parsed. Filters and scripts cannot. */
export function parseJsonPath(text: string): Path | undefined {
  const segments: Segment[] = [{ kind: 'start' }];
  for (let at = 0; at < text.length;) {
    const groups = matchAt(BRACKET_STEP, text, at) ?? matchAt(DOT_STEP, text, at);
    if (groups === undefined) return undefined;
    const segment = segmentOf(groups);
    if (segment === undefined) return undefined;
    if (groups['descent'] !== undefined) segments.push({ kind: 'descent' });
    segments.push(segment);
    at += (groups['all'] ?? '').length;
  }
  return segments;
}

type Groups = Readonly<Record<string, string | undefined>>;

function matchAt(pattern: RegExp, text: string, at: number): Groups | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? undefined : { ...match.groups, all: match[0] };
}

function segmentOf({ inside, name }: Groups): Segment | undefined {
  if (inside !== undefined) return bracketSegment(inside);
  if (name === undefined) return { kind: 'anyChild', inBrackets: false };
  if (name === '#') return { kind: 'each' };
  return /^[0-9]+$/.test(name) ? { kind: 'digits', text: name } : { kind: 'name', name };
}

function bracketSegment(inside: string): Segment | undefined {
  const options = optionsIn(inside).map(optionOf);
  const parsed = options.filter((option) => option !== undefined);
  if (parsed.length < options.length) return undefined;
  const [only] = parsed;
  return parsed.length === 1 ? only : { kind: 'union', options: parsed };
}

function optionsIn(inside: string): string[] {
  const options: string[] = [];
  for (let at = 0; at < inside.length || options.length === 0;) {
    OPTION.lastIndex = at;
    const option = OPTION.exec(inside)?.[0] ?? '';
    options.push(option.replace(/,$/, '').trim());
    at += Math.max(option.length, 1);
  }
  return inside.endsWith(',') ? [...options, ''] : options;
}

function optionOf(text: string): Segment | undefined {
  if (text === '*') return { kind: 'anyChild', inBrackets: true };
  if (/^[0-9]+$/.test(text)) return { kind: 'digits', text };
  if (/^['"]/.test(text)) return nameOption(text.slice(1, -1));
  return sliceOf(text);
}

/** A name in quotes, with the escapes of RFC 9535. Digits are a name and an index. */
function nameOption(quoted: string): Segment | undefined {
  if (/(?<!\\)(?:\\\\)*\\u(?![0-9a-f]{4})/i.test(quoted)) return undefined;
  const name = quoted.replace(/\\(?:u([0-9a-f]{4})|([bfnrt])|(.))/gisu, (_all, hex, control, other) => {
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
    return control === undefined ? other : '\b\f\n\r\t'.charAt('bfnrt'.indexOf(control));
  });
  const options: Segment[] = [
    { kind: 'name', name },
    { kind: 'digits', text: name },
  ];
  return /^[0-9]+$/.test(name) ? { kind: 'union', options, name } : { kind: 'name', name };
}

function sliceOf(text: string): Segment | undefined {
  if (/^-[1-9][0-9]*$/.test(text)) {
    return { kind: 'slice', selects: (index, length) => index === length + Number(text) };
  }
  const bounds = /^(-?[0-9]*):(-?[0-9]*)(?::([1-9][0-9]*)?)?$/.exec(text);
  if (bounds === null) return undefined;
  const [from, to, step] = bounds.slice(1);
  return {
    kind: 'slice',
    selects: (index, length) => {
      const first = boundOf(from, 0, length);
      const isInside = index >= first && index < boundOf(to, length, length);
      return isInside && (index - first) % Number(step ?? 1) === 0;
    },
  };
}

/** A bound of a slice; a negative one counts from the end. */
function boundOf(text: string | undefined, otherwise: number, length: number): number {
  if (text === undefined || text === '') return otherwise;
  return Number(text) < 0 ? Math.max(0, length + Number(text)) : Number(text);
}
