/** What `\s` of JavaScript finds, in a class of Go's syntax, whose own finds less. */
export const SPACES = String.raw`\s\v\p{Z}\x{FEFF}`;
const SPACE = `[${SPACES}]*`;

const ESCAPED = String.raw`\\[\s\S]`;
const CHARACTER = String.raw`(?:[^.\\]|${ESCAPED})`;
/** A segment that begins with `#(` is a query, unless it has an escape or a wildcard. */
const HASHED = String.raw`#(?:[^.\\(]|${ESCAPED}|\([^.\\*?]*(?:[*?]|${ESCAPED}))${CHARACTER}*`;
const SEGMENT = String.raw`(?:(?:[^.\\#]|${ESCAPED})${CHARACTER}*|#|${HASHED})`;
/** `$`, `$.` and `$[` begin a JSONPath. */
const FIRST_SEGMENT = String.raw`(?:(?:[^.\\#$]|${ESCAPED}|\$(?:[^.\\[]|${ESCAPED}))${CHARACTER}*|#|${HASHED})`;
const DOTTED = String.raw`${FIRST_SEGMENT}(?:\.${SEGMENT})*`;

const NAME = String.raw`(?:\*|[^.[\](){}'"${'`'}*?@^~,:;\\${SPACES}]+)`;
const ESCAPE = String.raw`\\(?:u[0-9A-Fa-f]{4}|[^u])`;
const QUOTED = String.raw`'(?:[^'\\]|${ESCAPE})*'|"(?:[^"\\]|${ESCAPE})*"`;
const SELECTOR = String.raw`${SPACE}(?:\*|${QUOTED}|\d+|-[1-9]\d*)${SPACE}`;
const SLICE = String.raw`(?:-?\d+)?${SPACE}:${SPACE}(?:-?\d+)?${SPACE}(?::${SPACE}(?:0*[1-9]\d*${SPACE})?)?`;
const BRACKET = String.raw`\[${SPACE}(?:${SLICE}|${SELECTOR}(?:,${SELECTOR})*)\]`;
const JSON_PATH = String.raw`\$(?:\.\.(?:${NAME}|${BRACKET})|\.${NAME}|${BRACKET})*`;

/** Matches what `parsePath` takes, in Go's syntax, for the JSON schemas of charts. A test compares the two. */
export const PATH_PATTERN = `^(?:${DOTTED}|${JSON_PATH})$`;
