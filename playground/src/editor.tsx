import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { EditorState, StateEffect, StateField, type Extension, type Text } from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  type DecorationSet,
} from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import { codeStyle } from './code-style.ts';
import { useShadow } from './shadow.ts';
import { wrappedLines } from './hanging-indent.ts';
import { leastChange } from './least-change.ts';

interface EditorProps {
  readonly label: string;
  readonly language: 'json' | 'yaml';
  /** What it begins with. Afterwards it counts only when the version changes: what is typed must not be overtaken. */
  readonly value: string;
  /** Differs for every text that comes from elsewhere. */
  readonly version: number;
  /** The lines that have problems, from 1. */
  readonly problemLines: readonly number[];
  readonly onChange: (value: string) => void;
}

const LANGUAGES: Readonly<Record<EditorProps['language'], () => Extension>> = { json, yaml };

const setProblems = StateEffect.define<readonly number[]>();

const problemLine = Decoration.line({ class: 'problem-line' });

const problems = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, { changes, effects, newDoc }) {
    const set = effects.findLast((effect) => effect.is(setProblems));
    return set === undefined ? decorations.map(changes) : decorationsAt(newDoc, set.value);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorationsAt(doc: Text, lines: readonly number[]): DecorationSet {
  const known = [...new Set(lines)].filter((line) => line >= 1 && line <= doc.lines);
  return Decoration.set(
    known.map((line) => problemLine.range(doc.line(line).from)),
    true,
  );
}

/** An editor of code, with its lines numbered. Tab leaves it, as it leaves every field. */
export function Editor({ label, language, value, version, problemLines, onChange }: EditorProps) {
  const { host, shadow } = useShadow();
  const view = useRef<EditorView | undefined>(undefined);
  const changed = useRef(onChange);
  changed.current = onChange;

  useEffect(() => {
    if (shadow === undefined) return undefined;
    const created = new EditorView({
      parent: shadow,
      root: shadow,
      state: EditorState.create({
        doc: value,
        extensions: extensions(label, language, (text) => changed.current(text)),
      }),
    });
    view.current = created;
    return () => created.destroy();
  }, [shadow, label, language]);

  useEffect(() => {
    const change = view.current && leastChange(view.current.state.doc.toString(), value);
    if (change !== undefined) view.current?.dispatch({ changes: change });
  }, [shadow, label, language, version]);

  useEffect(() => {
    view.current?.dispatch({ effects: setProblems.of(problemLines) });
  }, [shadow, label, language, problemLines.join(',')]);

  return <div class="editor" ref={host} />;
}

function extensions(
  label: string,
  language: EditorProps['language'],
  onChange: (text: string) => void,
): Extension {
  return [
    lineNumbers(),
    wrappedLines,
    history(),
    drawSelection(),
    highlightActiveLine(),
    LANGUAGES[language](),
    problems,
    codeStyle,
    keymap.of([...defaultKeymap, ...historyKeymap]),
    // An editable element can have the focus anyway, which tools that check accessibility do not see in a shadow tree.
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorView.domEventHandlers({ beforeinput: replaceSelection }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
  ];
}

/**
 * Types over a selection. The browser would give the text that replaces it the style of what it replaces, as a `style`
 * attribute, which the page's Content-Security-Policy reports.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { inputType, data, isComposing } = event;
  if (inputType !== 'insertText' || data === null || isComposing || view.state.selection.main.empty)
    return false;
  event.preventDefault();
  const userEvent = 'input.type';
  view.dispatch(view.state.replaceSelection(data), { scrollIntoView: true, userEvent });
  return true;
}
