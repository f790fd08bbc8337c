import { literalSegment, type Path, type Segment } from './path.ts';
import { PathSyntaxError } from './syntax-error.ts';

const PLAIN_NAME = /[^.[\](){}'"`*?@^~,:;\\\s]+/uy;
const INTEGER = /\d+|-[1-9]\d*/uy;
const SLICE = /\s*(-?\d+)?\s*:\s*(-?\d+)?\s*(?::\s*(\d+)?\s*)?(?=\])/uy;
const SPACE = /\s*/uy;
const QUOTED = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/suy;
const ESCAPE = /\\(?:u([\da-f]{4})|(.))/gisu;
/** Escapes of a name in quotes that mean another character (RFC 9535 §2.3.1.1). */
const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/**
 * Parses JSONPath: names, `*`, `..`, indexes, slices and unions. Filters, scripts and the parent and name operators are
 * refused: nothing in a path is ever run as code (docs/path-syntax.md).
 *
 * @param text begins with `$`
 * @throws PathSyntaxError
 */
export function parseJsonPath(text: string): Path {
  return new JsonPathParser(text).parse();
}

class JsonPathParser {
  private readonly text: string;
  private at = 1;

  constructor(text: string) {
    this.text = text;
  }

  parse(): Path {
    const segments: Segment[] = [];
    while (this.at < this.text.length) {
      if (this.skip('..'))
        segments.push({ kind: 'descend' }, this.text[this.at] === '[' ? this.bracket() : this.name());
      else if (this.skip('.')) segments.push(this.name());
      else segments.push(this.bracket());
    }
    return segments;
  }

  private name(): Segment {
    if (this.skip('*')) return { kind: 'any', isOfList: false };
    const [name] = this.take(PLAIN_NAME, 'no property name');
    return name === '#' ? { kind: 'each' } : literalSegment(name);
  }

  private bracket(): Segment {
    if (!this.skip('[')) throw this.problem('an unexpected character');
    this.take(SPACE, '');
    const segment = this.slice() ?? this.union();
    if (!this.skip(']')) throw this.problem('no closing bracket');
    return segment;
  }

  private slice(): Segment | undefined {
    SLICE.lastIndex = this.at;
    const match = SLICE.exec(this.text);
    if (!match) return undefined;
    const [all, from = '0', to = 'Infinity', step = '1'] = match;
    if (Number(step) === 0) throw this.problem('a step of 0');
    this.at += all.length;
    return { kind: 'slice', from: Number(from), to: Number(to), step: Number(step) };
  }

  private union(): Segment {
    const of = [this.selector()];
    while (this.skip(',')) of.push(this.selector());
    const [only, ...others] = of;
    if (only !== undefined && others.length === 0) return only;
    return { kind: 'union', of: of.flatMap((one) => (one.kind === 'union' ? one.of : [one])) };
  }

  private selector(): Segment {
    this.take(SPACE, '');
    const segment = this.bracketed();
    this.take(SPACE, '');
    return segment;
  }

  private bracketed(): Segment {
    if (this.skip('*')) return { kind: 'any', isOfList: true };
    const character = this.text[this.at];
    if (character === "'" || character === '"') {
      const start = this.at;
      const [, single, double] = this.take(QUOTED, 'a quote that is not closed');
      return quotedName(this.unescaped(single ?? double ?? '', start));
    }
    const [digits] = this.take(INTEGER, 'no name, index, slice or *');
    return digits.startsWith('-') ? fromEnd(Number(digits)) : literalSegment(digits);
  }

  /** A name in quotes without its escapes. A backslash makes any character that RFC 9535 does not list ordinary. */
  private unescaped(quoted: string, start: number): string {
    return quoted.replaceAll(ESCAPE, (_all, hex: string | undefined, character = '') => {
      if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
      if (character === 'u') throw new PathSyntaxError('an escape without four hexadecimal digits', start);
      return CONTROLS.get(character) ?? character;
    });
  }

  private skip(expected: string): boolean {
    if (!this.text.startsWith(expected, this.at)) return false;
    this.at += expected.length;
    return true;
  }

  private take(pattern: RegExp, problem: string): RegExpExecArray {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (!match) throw this.problem(problem);
    this.at += match[0].length;
    return match;
  }

  private problem(problem: string): PathSyntaxError {
    return new PathSyntaxError(problem, this.at);
  }
}

/** Digits in quotes are a name (RFC 9535 §2.3.1), and an index as well for dialects that follow JavaScript. */
function quotedName(name: string): Segment {
  const segment = literalSegment(name);
  return segment.kind === 'index' ? { kind: 'union', of: [segment, { kind: 'name', name }], name } : segment;
}

/** An index that counts from the end of an array, which no property has. */
function fromEnd(index: number): Segment {
  return { kind: 'slice', from: index, to: index === -1 ? Infinity : index + 1, step: 1 };
}
