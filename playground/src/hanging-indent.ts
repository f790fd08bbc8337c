import type { Range } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view';

/** Deeper lines hang as the deepest of these, in columns. */
const DEEPEST = 32;

const decorations = Array.from({ length: DEEPEST + 1 }, (_, columns) =>
  Decoration.line({ class: `hang-${columns}` }),
);

/** Classes, because the page's Content-Security-Policy allows no style attributes. */
const styles = EditorView.theme(
  Object.fromEntries(
    decorations.map((_, columns) => [
      `.cm-line.hang-${columns}`,
      { textIndent: `-${columns + 2}ch`, paddingLeft: `calc(8px + ${columns + 2}ch)` },
    ]),
  ),
);

/** Wraps lines, and indents what is wrapped a little deeper than the line itself. */
export const wrappedLines = [
  EditorView.lineWrapping,
  styles,
  ViewPlugin.define((view) => ({ hanging: hangingIn(view), update }), {
    decorations: ({ hanging }) => hanging,
  }),
];

function update(this: { hanging: DecorationSet }, { docChanged, viewportChanged, view }: ViewUpdate): void {
  if (docChanged || viewportChanged) this.hanging = hangingIn(view);
}

function hangingIn(view: EditorView): DecorationSet {
  const { doc } = view.state;
  const found: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to;) {
      const line = doc.lineAt(at);
      const columns = Math.min(line.text.length - line.text.trimStart().length, DEEPEST);
      const decoration = decorations[columns];
      if (decoration) found.push(decoration.range(line.from));
      at = line.to + 1;
    }
  }
  return Decoration.set(found);
}
