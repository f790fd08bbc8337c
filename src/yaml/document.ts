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

/** Lexemes that are no part of the text. */
const MARKS: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/**
 * Reads a text as `parseDocument` of the `yaml` package does, and shows its lexemes on the way: to look for them again would take a
 * third of the time once more.
 *
 * @param lines learns where the lines begin
 */
export function documentOf(text: string, lines: LineCounter, options: ReadingOptions, see: Reader): Document {
  const documents = new Composer(options).compose(tokensOf(text, lines, see), true, text.length);
  const [document = new Document(), another] = documents;
  if (another !== undefined) {
    const [start, end] = another.range;
    document.errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'Another document begins'));
  }
  return document;
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
