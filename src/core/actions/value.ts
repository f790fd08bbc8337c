import { TOP, type JsonDocument, type Node } from '../json/document.ts';
import { scan } from '../json/scan.ts';
import { JsonDepthError, JsonSyntaxError } from '../json/syntax-error.ts';
import { hasUniqueNames } from '../json/unique-names.ts';
import { maskResult, isNothing, type MaskResult, type CompiledAction } from './mask-result.ts';
import { bracketed } from './bracketed.ts';

/** Levels of objects and arrays. People write these values. */
const MAX_DEPTH = 64;
/** Between tokens, as strings have none. The value may come into a record that has to be one line. */
const LINE_END = /[\r\n]/gu;

/** `value(<json>)`: any JSON value in the place of whatever is there, also of nothing. */
export const value = bracketed(
  'value',
  {
    forms: ['value(<json>)'],
    example: { action: 'value({"level":0})', before: '"secret"', after: '{"level":0}' },
    suits: 'A fixed replacement with a type, also for properties that are missing, null or empty.',
    reveals: 'Nothing. All records look the same.',
  },
  (json) => (isJson(json) ? compileValue(json.replaceAll(LINE_END, ' ')) : undefined),
);

function compileValue(json: string) {
  return (): CompiledAction => new Replacement(json);
}

class Replacement implements CompiledAction {
  readonly created: string;
  private readonly masked: MaskResult;
  private readonly set: MaskResult;

  constructor(json: string) {
    this.created = json;
    this.masked = maskResult('masked', json);
    this.set = maskResult('set', json);
  }

  apply(doc: JsonDocument, node: Node): MaskResult {
    return isNothing(doc, node) ? this.set : this.masked;
  }
}

function isJson(text: string): boolean {
  if (!text.isWellFormed()) return false;
  try {
    return hasUniqueNames(scan(Buffer.from(text), MAX_DEPTH), TOP);
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof JsonDepthError) return false;
    throw error;
  }
}
