import type { ErrorCode } from 'yaml';

/**
 * What to say about text that is not sound YAML. The parser's own messages are not passed on, because some of them
 * quote the text.
 */
export const YAML_PROBLEMS: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'An alias has an anchor or a tag.',
  BAD_ALIAS: 'An alias or anchor has no proper name.',
  BAD_COLLECTION_TYPE: 'A map or list has a tag of another type.',
  BAD_DIRECTIVE: 'A line begins with %, and is not a known directive.',
  BAD_DQ_ESCAPE: 'A text in double quotes has an escape that is not known; write \\\\ for a backslash.',
  BAD_INDENT: 'The indentation does not match the lines above.',
  BAD_PROP_ORDER: 'An anchor or a tag is in the wrong place.',
  BAD_SCALAR_START: 'A value begins with a character that YAML reserves; put it in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'A line has a second "key: value"; put a value that holds ": " in quotes.',
  BLOCK_IN_FLOW: 'An indented map or list is inside { } or [ ].',
  DUPLICATE_KEY: 'A key is given twice.',
  IMPOSSIBLE: 'The text is not YAML.',
  KEY_OVER_1024_CHARS: 'A key is longer than 1,024 characters.',
  MISSING_CHAR: 'Something is missing: a closing quote, bracket or brace, a comma, a colon or a space.',
  MULTILINE_IMPLICIT_KEY: 'A key goes over several lines.',
  MULTIPLE_ANCHORS: 'A value has several anchors.',
  MULTIPLE_DOCS: 'A second document begins; a file holds one.',
  MULTIPLE_TAGS: 'A value has several tags.',
  NON_STRING_KEY: 'A key is not a plain word.',
  RESOURCE_EXHAUSTION: 'The text nests too deeply.',
  TAB_AS_INDENT: 'The indentation has a tab. YAML is indented with spaces.',
  TAG_RESOLVE_FAILED: 'A tag is not known.',
  UNEXPECTED_TOKEN: 'The text is not expected here; put a value with special characters in quotes.',
};
