import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** How code looks, in the colours that the page defines: editors are in shadow trees, which the page's rules do not reach. */
const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'transparent', fontSize: 'var(--code-size)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--code-font)', lineHeight: '1.6', overscrollBehavior: 'contain' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--muted)', border: 'none', minWidth: '34px' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 4px 0 10px', minWidth: '20px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': { backgroundColor: 'var(--active-line)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.problem-line': { backgroundColor: 'var(--problem-line)', boxShadow: 'inset 3px 0 var(--problem)' },
});

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-name)' },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--code-number)' },
  {
    tag: [tags.comment, tags.punctuation, tags.separator, tags.brace, tags.squareBracket],
    color: 'var(--muted)',
  },
]);

/** The look of an editor. */
export const codeStyle = [theme, syntaxHighlighting(highlight)];
