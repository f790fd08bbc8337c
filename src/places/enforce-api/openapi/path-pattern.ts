/** One segment of a dotted path; a query of gjson's, `#(…)`, is none. */
const SEGMENT = String.raw`(?!#\([^.\\*?]*(?:\.|$))(?:[^.\\]|\\[\s\S])+`;
/** `$`, `$.…` and `$[…]` are JSONPath; any other name may begin with `$`. */
const DOTTED = String.raw`(?!\$(?:$|[.[]))${SEGMENT}(?:\.${SEGMENT})*`;

const NAME = String.raw`(?:\*|[^.[\](){}'"\u0060*?@^~,:;\\\s]+)`;
const QUOTED = String.raw`'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"`;
const SELECTOR = String.raw`\s*(?:\*|-?[0-9]+|${QUOTED})\s*`;
const SLICE = String.raw`\s*(?:-?[0-9]+)?\s*:\s*(?:-?[0-9]+)?\s*(?::\s*(?:0*[1-9][0-9]*)?\s*)?`;
const BRACKET = String.raw`\[(?:${SLICE}|${SELECTOR}(?:,${SELECTOR})*)\]`;
const JSON_PATH = String.raw`\$(?:\.\.${BRACKET}|\.{1,2}${NAME}|${BRACKET})*`;

/** The path of a request (docs/path-syntax.md), as a regular expression of ECMA-262. */
export const PATH_PATTERN = `^(?:${JSON_PATH}|${DOTTED})$`;
