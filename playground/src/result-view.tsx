import { json } from '@codemirror/lang-json';
import { EditorState, StateEffect, StateField, type Extension, type Range } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  lineNumbers,
  ViewPlugin,
  WidgetType,
  type DecorationSet,
  type ViewUpdate,
} from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import { codeStyle } from './code-style.ts';
import { wrappedLines } from './hanging-indent.ts';
import { leastChange } from './least-change.ts';
import type { Mark, MergedView } from './merged-view.ts';
import { UNDECIDED } from './rule-look.ts';
import { useShadow } from './shadow.ts';

interface ResultViewProps {
  readonly label: string;
  readonly result: MergedView;
  /** The look of each mark, in their order. */
  readonly looks: readonly string[];
  /** The mark that is explained, by its place in the list of marks. */
  readonly selected: number | undefined;
  readonly onSelect: (mark: number | undefined) => void;
}

interface Shown extends MergedView {
  readonly looks: readonly string[];
  readonly selected: number | undefined;
}

const show = StateEffect.define<Shown>();

const shown = StateField.define<Shown>({
  create: () => ({ text: '', marks: [], looks: [], selected: undefined }),
  update: (before, { effects }) => effects.findLast((one) => one.is(show))?.value ?? before,
});

/** Marks what is on the screen: a long answer has thousands of changes, and only some of them can be seen. */
const marking = ViewPlugin.define(
  (view) => ({
    decorations: decorationsIn(view),
    update({ docChanged, viewportChanged, startState, state, view: changed }: ViewUpdate) {
      if (docChanged || viewportChanged || startState.field(shown) !== state.field(shown))
        this.decorations = decorationsIn(changed);
    },
  }),
  { decorations: ({ decorations }) => decorations },
);

/** The shape of a rule, before what it changed. */
class Shape extends WidgetType {
  readonly #classes: string;

  constructor(classes: string) {
    super();
    this.#classes = classes;
  }

  override eq(other: Shape): boolean {
    return other.#classes === this.#classes;
  }

  override toDOM(): HTMLElement {
    const shape = document.createElement('span');
    shape.className = `shape ${this.#classes}`;
    shape.ariaHidden = 'true';
    return shape;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

function decorationsIn({ viewport, state }: EditorView): DecorationSet {
  const { text, marks, looks, selected } = state.field(shown);
  const ranges: Range<Decoration>[] = [];
  for (const [i, mark] of marks.entries()) {
    if (mark.to < viewport.from || mark.from > viewport.to) continue;
    const look = looks[i] ?? UNDECIDED;
    const classes = `mark ${look} ${stateOf(mark)} ${i === selected ? 'selected' : ''}`;
    const decoration = Decoration.mark({ class: classes, attributes: { 'data-mark': String(i) } });
    if (look !== UNDECIDED)
      ranges.push(Decoration.widget({ widget: new Shape(look), side: -1 }).range(mark.from));
    for (const { from, to } of linesOf(text, mark)) ranges.push(decoration.range(from, to));
  }
  return Decoration.set(ranges, true);
}

function stateOf({ isRemoved, change }: Mark): string {
  if (isRemoved) return 'struck';
  return change?.effect === 'unchanged' ? 'unchanged' : '';
}

/** The parts of a mark in each line, without indentation. */
function linesOf(
  text: string,
  { from, to }: Mark,
): readonly { readonly from: number; readonly to: number }[] {
  const written = text.slice(from, to).matchAll(/\S[^\n]*/gu);
  return Array.from(written, ({ index, 0: line }) => ({
    from: from + index,
    to: from + index + line.length,
  }));
}

/**
 * The answer with its changes marked. Pointing at a mark selects it; with the keyboard, the arrow keys go from mark to mark
 * and Escape lets go.
 */
export function ResultView({ label, result, looks, selected, onSelect }: ResultViewProps) {
  const { host, shadow } = useShadow();
  const view = useRef<EditorView | undefined>(undefined);
  const handlers = useRef({ result, selected, onSelect });
  handlers.current = { result, selected, onSelect };

  useEffect(() => {
    if (shadow === undefined) return undefined;
    const state = EditorState.create({ doc: '', extensions: extensions(label, () => handlers.current) });
    const created = new EditorView({ parent: shadow, root: shadow, state });
    view.current = created;
    return () => created.destroy();
  }, [shadow, label]);

  useEffect(() => {
    const { current } = view;
    if (current === undefined) return;
    const changes = leastChange(current.state.doc.toString(), result.text);
    const effects = show.of({ ...result, looks, selected });
    current.dispatch(changes === undefined ? { effects } : { changes, effects });
  }, [shadow, label, result, looks, selected]);

  return <div class="editor" ref={host} />;
}

type Handlers = Pick<ResultViewProps, 'result' | 'selected' | 'onSelect'>;

function extensions(label: string, handlers: () => Handlers): Extension {
  return [
    lineNumbers(),
    wrappedLines,
    json(),
    shown,
    marking,
    codeStyle,
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorView.domEventHandlers({
      mouseover(event) {
        const mark = markUnder(event);
        if (mark !== undefined && mark !== handlers().selected) handlers().onSelect(mark);
      },
      click(event) {
        handlers().onSelect(markUnder(event));
      },
      keydown(event, view) {
        return step(event, view, handlers());
      },
      focus() {
        const { selected, result, onSelect } = handlers();
        if (selected === undefined && result.marks.length > 0) onSelect(0);
      },
    }),
  ];
}

function markUnder({ target }: Event): number | undefined {
  const element = target instanceof Element ? target.closest('[data-mark]') : null;
  return element instanceof HTMLElement ? Number(element.dataset['mark']) : undefined;
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number | undefined>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowRight: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  ArrowLeft: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
  Escape: () => undefined,
};

function step(event: KeyboardEvent, view: EditorView, { result, selected, onSelect }: Handlers): boolean {
  const next = STEPS[event.key];
  if (next === undefined || event.ctrlKey || event.metaKey || event.altKey || result.marks.length === 0)
    return false;
  const chosen = next(selected ?? -1, result.marks.length - 1);
  const mark = chosen === undefined ? undefined : result.marks[chosen];
  onSelect(chosen);
  if (mark !== undefined)
    view.dispatch({ effects: EditorView.scrollIntoView(mark.from, { y: 'nearest', yMargin: 24 }) });
  return true;
}
