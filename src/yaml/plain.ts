/** Makes a value of a text that is not in quotes; undefined if that is better left to the parser. */
export type PlainScalar = (text: string) => string | number | boolean | undefined;

/** What a plain YAML text says: text in quotes is text, other scalars are what a {@link PlainScalar} makes of them. */
type PlainValue = string | number | boolean | PlainValue[] | PlainMap;
export interface PlainMap {
  readonly [name: string]: PlainValue;
}

/** Thrown at anything that is not plain. */
class Doubt extends Error {}

/** How deep maps and lists nest in a plain text. */
const MAX_LEVELS = 64;

/** A line that says something. */
interface Line {
  readonly indent: number;
  /** Without indentation and without blanks at the end. */
  readonly text: string;
}

const COMMENT = /^ *(?:#.*)?$/u;
const PRINTABLE = /^[\x20-\x7e]*$/u;
/** A key of a map with its colon, without quotes or in single ones. */
const KEY = /^(?:(?<plain>[A-Za-z_][\w.#-]*)|'(?<quoted>[\w.#*?-]+)'):(?: +|$)/u;
/** What may follow a value on its line. */
const END = /^ *(?:$| #)/u;
/** The first character of text without quotes: none that means anything else. */
const BEGINNING = /^(?:[A-Za-z0-9_/$(]|\.{1,2}\/|-[A-Za-z0-9])/u;
const IN_FLOW = /^[\w/$(][^,[\]{}:#'"]*/u;
const SINGLE_QUOTED = /^'(?<inside>(?:[^']|'')*)'/u;
const DOUBLE_QUOTED = /^"(?<inside>[^"\\]*)"/u;

/**
 * Reads a YAML text that is as plain as most are: a map of maps, lists and scalars on one line each, or in brackets on one line.
 * That takes a fraction of the time of loading a YAML parser, and reads nothing that the parser would read otherwise.
 *
 * @returns undefined if the text may be wrong, or has anything else: the parser decides, and explains
 */
export function readPlainYaml(text: string, scalar: PlainScalar): PlainMap | undefined {
  try {
    return new PlainReader(linesOf(text), scalar).document();
  } catch (error) {
    if (error instanceof Doubt) return undefined;
    throw error;
  }
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (const written of text.split('\n')) {
    if (COMMENT.test(written)) continue;
    if (!PRINTABLE.test(written)) throw new Doubt();
    const trimmed = written.trimStart();
    lines.push({ indent: written.length - trimmed.length, text: trimmed.trimEnd() });
  }
  return lines;
}

class PlainReader {
  readonly #lines: readonly Line[];
  readonly #scalar: PlainScalar;
  #next = 0;

  constructor(lines: readonly Line[], scalar: PlainScalar) {
    this.#lines = lines;
    this.#scalar = scalar;
  }

  document(): PlainMap {
    const [first] = this.#lines;
    if (first === undefined || first.indent > 0) throw new Doubt();
    const value = this.#map(first, 0);
    if (this.#next < this.#lines.length) throw new Doubt();
    return value;
  }

  get #line(): Line | undefined {
    return this.#lines[this.#next];
  }

  /** @param first its first line, of which something may have been read */
  #map(first: Line, level: number): PlainMap {
    if (level > MAX_LEVELS) throw new Doubt();
    const { indent } = first;
    const entries = new Map<string, PlainValue>();
    for (let line: Line | undefined = first; line?.indent === indent; line = this.#line) {
      const key = KEY.exec(line.text);
      const name = key?.groups?.['plain'] ?? key?.groups?.['quoted'];
      if (key === null || name === undefined || name === '__proto__' || entries.has(name)) throw new Doubt();
      this.#next++;
      entries.set(name, this.#value(line.text.slice(key[0].length), indent, level));
    }
    this.#mustEnd(indent);
    return Object.fromEntries(entries);
  }

  #list(indent: number, level: number): PlainValue {
    if (level > MAX_LEVELS) throw new Doubt();
    const items: PlainValue[] = [];
    for (let line = this.#line; line?.indent === indent && line.text.startsWith('- '); line = this.#line) {
      const text = line.text.slice(1).trimStart();
      const first = { indent: indent + line.text.length - text.length, text };
      if (KEY.test(text)) items.push(this.#map(first, level + 1));
      else {
        this.#next++;
        items.push(this.#inline(text));
        this.#mustEnd(indent);
      }
    }
    return items;
  }

  /** A value on the line of its key, or below it. */
  #value(text: string, indent: number, level: number): PlainValue {
    if (text !== '' && !text.startsWith('#')) return this.#inline(text);
    const line = this.#line;
    if (line === undefined) throw new Doubt();
    if (line.text.startsWith('- ') && line.indent >= indent) {
      const items = this.#list(line.indent, level + 1);
      if (line.indent > indent) this.#mustEnd(line.indent);
      return items;
    }
    if (line.indent <= indent) throw new Doubt();
    return this.#map(line, level + 1);
  }

  /** What is indented deeper goes on with the value before it. */
  #mustEnd(indent: number): void {
    const line = this.#line;
    if (line !== undefined && line.indent > indent) throw new Doubt();
  }

  #inline(text: string): PlainValue {
    if (BEGINNING.test(text)) {
      const [written = ''] = text.split(' #', 1);
      if (written.includes(': ') || written.endsWith(':')) throw new Doubt();
      return this.#plain(written.trimEnd());
    }
    const { value, rest } = this.#flow(text, 0);
    if (!END.test(rest)) throw new Doubt();
    return value;
  }

  #plain(text: string): PlainValue {
    const value = this.#scalar(text);
    if (value === undefined) throw new Doubt();
    return value;
  }

  /** A value that ends on its line, and what follows it. */
  #flow(text: string, level: number): Read {
    if (level > MAX_LEVELS) throw new Doubt();
    if (text.startsWith('[')) return this.#flowList(text, level);
    if (text.startsWith('{')) return this.#flowMap(text, level);
    const single = SINGLE_QUOTED.exec(text);
    if (single) return after(text, single[0], (single.groups?.['inside'] ?? '').replaceAll("''", "'"));
    const double = DOUBLE_QUOTED.exec(text);
    if (double) return after(text, double[0], double.groups?.['inside'] ?? '');
    const plain = IN_FLOW.exec(text);
    if (plain === null || level === 0) throw new Doubt();
    return after(text, plain[0], this.#plain(plain[0].trimEnd()));
  }

  #flowList(text: string, level: number): Read {
    const value: PlainValue[] = [];
    let rest = text.slice(1).trimStart();
    while (!rest.startsWith(']')) {
      const item = this.#flow(rest, level + 1);
      value.push(item.value);
      rest = afterItem(item.rest, ']');
    }
    return { value, rest: rest.slice(1) };
  }

  #flowMap(text: string, level: number): Read {
    const entries = new Map<string, PlainValue>();
    let rest = text.slice(1).trimStart();
    while (!rest.startsWith('}')) {
      const key = KEY.exec(rest);
      const name = key?.groups?.['plain'] ?? key?.groups?.['quoted'];
      if (key === null || name === undefined || name === '__proto__' || entries.has(name)) throw new Doubt();
      const member = this.#flow(rest.slice(key[0].length), level + 1);
      entries.set(name, member.value);
      rest = afterItem(member.rest, '}');
    }
    return { value: Object.fromEntries(entries), rest: rest.slice(1) };
  }
}

/** A value, and what follows it on its line. */
interface Read {
  readonly value: PlainValue;
  readonly rest: string;
}

function after(text: string, written: string, value: PlainValue): Read {
  return { value, rest: text.slice(written.length) };
}

/** What comes after a comma, or the end of what holds the item. */
function afterItem(text: string, end: string): string {
  const rest = text.trimStart();
  if (rest.startsWith(end)) return rest;
  const next = rest.startsWith(',') ? rest.slice(1).trimStart() : '';
  if (next === '' || next.startsWith(end)) throw new Doubt();
  return next;
}

const NUMERIC = /^[-+]?(?:0[ox][\da-f]+|\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$/iu;
const WHOLE_NUMBER = /^(?:0|-?[1-9]\d{0,14})$/u;
const WORD = /^(?:true|false|null)$/iu;

/** Makes values as configurations have them: of the core schema of YAML 1.2. */
export function coreScalar(text: string): string | number | boolean | undefined {
  if (text === 'true' || text === 'false') return text === 'true';
  if (WHOLE_NUMBER.test(text)) return Number(text);
  return NUMERIC.test(text) || WORD.test(text) ? undefined : text;
}

/** Makes values as policy files have them: a number is the text that was written, so that it loses nothing. */
export function policyScalar(text: string): string | boolean | undefined {
  if (text === 'true' || text === 'false') return text === 'true';
  return WORD.test(text) && text.toLowerCase() === 'null' ? undefined : text;
}
