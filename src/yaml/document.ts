import {
  Composer,
  CST,
  Document,
  Lexer,
  Parser,
  YAMLParseError,
  type DocumentOptions,
  type LineCounter,
  type ParseOptions,
  type SchemaOptions,
} from 'yaml';

export type ReadingOptions = ParseOptions & DocumentOptions & SchemaOptions;

/** Gets each lexeme of a text, and its offset. */
export type Reader = (lexeme: string, offset: number) => void;

/** What the parser of the package does not report. */
export const LOST_VALUE = 'Explicit key with a value without a colon';

/** Lexemes that are no part of the text. */
const MARKS: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/**
 * Reads a text as `parseDocument` of the `yaml` package does, and shows its lexemes on the way: to look for them again would take a
 * third of the time once more. Reports what the package lets pass: {@link lostValues} and {@link isCutOff}.
 *
 * @param lines learns where the lines begin
 */
export function documentOf(text: string, lines: LineCounter, options: ReadingOptions, see: Reader): Document {
  const tokens: CST.Token[] = [];
  const cutOff: YAMLParseError[] = [];
  let at = 0;
  const observe: Reader = (lexeme, offset) => {
    at = offset;
    see(lexeme, offset);
    if (isCutOff(lexeme)) cutOff.push(unclosed(lexeme.charAt(0), offset + lexeme.length));
  };
  const written = kept(tokensOf(text, lines, observe), tokens);
  const documents = unlessTooDeep(() => firstTwo(new Composer(options).compose(written, true, text.length)));
  if (documents === undefined) return tooDeep(at);
  const [document = new Document(), another] = documents;
  if (another !== undefined) {
    const [start, end] = another.range;
    document.errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'Another document begins'));
  }
  document.errors = [...document.errors, ...cutOff];
  if (document.errors.length === 0 && EXPLICIT_KEY.test(text)) document.errors = [...lostValues(tokens)];
  return document;
}

/** The composer of the package reports a text that is too deep for the stack; its parser, which finds such maps in braces, does not. */
function unlessTooDeep<T>(compose: () => T): T | undefined {
  try {
    return compose();
  } catch (error) {
    if (error instanceof RangeError && error.message.startsWith('Maximum call stack')) return undefined;
    throw error;
  }
}

function firstTwo<T>([one, another]: Iterable<T>): readonly [T | undefined, T | undefined] {
  return [one, another];
}

function tooDeep(offset: number): Document {
  const document = new Document();
  document.errors = [new YAMLParseError([offset, offset + 1], 'RESOURCE_EXHAUSTION', 'Too deep')];
  return document;
}

/**
 * Whether a text in quotes ends with a quote that is part of it (`'it''`, `"a\\"`): at the end of the file, and above a line that is not
 * indented, the package takes it for the closing one.
 */
function isCutOff(lexeme: string): boolean {
  const quote = lexeme.charAt(0);
  if ((quote !== '"' && quote !== "'") || lexeme.length < 3 || !lexeme.endsWith(quote)) return false;
  const escape = quote === '"' ? '\\' : quote;
  let start = lexeme.length - 1;
  while (start > 1 && lexeme.charAt(start - 1) === escape) start -= 1;
  return (lexeme.length - 1 - start) % 2 === 1;
}

function unclosed(quote: string, end: number): YAMLParseError {
  return new YAMLParseError([end, end + 1], 'MISSING_CHAR', `Missing closing ${quote}quote`);
}

/** In quotes and comments, too; outside of them, few texts have it. */
const EXPLICIT_KEY = /\?\s/u;

/** A value that follows an explicit key (`? a`) without a colon (`? "a" "b"`): the composer of the package drops it. */
function lostValues(tokens: readonly CST.Token[]): readonly YAMLParseError[] {
  const errors: YAMLParseError[] = [];
  for (const document of tokens.filter((token) => token.type === 'document')) {
    CST.visit(document, ({ start, sep = [], value }) => {
      if (!value || !has('explicit-key-ind', start) || has('map-value-ind', sep)) return;
      errors.push(new YAMLParseError([value.offset, value.offset + 1], 'MISSING_CHAR', LOST_VALUE));
    });
  }
  return errors;
}

function has(type: CST.SourceToken['type'], tokens: readonly CST.SourceToken[]): boolean {
  return tokens.some((token) => token.type === type);
}

function* kept(tokens: Iterable<CST.Token>, all: CST.Token[]): Generator<CST.Token, void> {
  for (const token of tokens) {
    all.push(token);
    yield token;
  }
}

function* tokensOf(text: string, lines: LineCounter, see: Reader): Generator<CST.Token, void> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    see(lexeme, offset);
    if (!MARKS.has(lexeme)) offset += lexeme.length;
    yield* parser.next(lexeme);
  }
  yield* parser.end();
}
