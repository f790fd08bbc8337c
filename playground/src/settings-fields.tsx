import type { Problem } from './answer.ts';
import { Problems, problemsOf } from './problems.tsx';
import type { Settings, Work } from './work.ts';

type Name = keyof Settings;

interface Field {
  readonly name: Name;
  readonly title: string;
  readonly example?: string;
  /** If the field is a choice: what can be chosen, with how it is shown. */
  readonly choices?: readonly (readonly [value: string, shown: string])[];
}

const FIELDS: readonly Field[] = [
  { name: 'root', title: 'Root', example: 'data.customers' },
  { name: 'mapper', title: 'Data mapper', example: 'branch-v2' },
  {
    name: 'filter',
    title: 'Filter',
    choices: [
      ['', 'as the policies need'],
      ['true', 'on'],
      ['false', 'off'],
    ],
  },
  {
    name: 'filterDefault',
    title: 'Records that no rule allows',
    choices: [
      ['', 'as the policies need'],
      ['deny', 'removed'],
      ['allow', 'kept'],
    ],
  },
  { name: 'maskString', title: 'Mask string', example: '***' },
  { name: 'assetType', title: 'Asset type', example: 'columns' },
  {
    name: 'calculationType',
    title: 'Calculation',
    choices: [
      ['', 'resolution (default)'],
      ['context', 'context'],
    ],
  },
  { name: 'assetId', title: 'Asset id', example: 'id' },
  { name: 'protectedObject', title: 'Protected object', example: 'Account' },
];

/** The names that a policy file says itself. */
const NAMES: readonly Field[] = [
  { name: 'attrName', title: 'attrName', example: 'column' },
  { name: 'object', title: 'object', example: 'table' },
];

interface SettingsFieldsProps {
  readonly work: Work;
  readonly problems: readonly Problem[];
  readonly onChange: (part: Partial<Work>) => void;
}

/** The parameters of the request, and what of the configuration matters. */
export function SettingsFields({ work, problems, onChange }: SettingsFieldsProps) {
  const { settings, source } = work;
  const fields = source === 'policies' ? FIELDS : [...FIELDS, ...NAMES];
  const set = fields.filter(({ name }) => settings[name] !== '');
  const change = (name: Name, value: string): void => onChange({ settings: { ...settings, [name]: value } });
  return (
    <div>
      <details class="settings">
        <summary>
          Parameters
          {set.length > 0 && (
            <span class="chosen">
              {set.map(({ name, title }) => `${title.toLowerCase()} ${settings[name]}`).join(', ')}
            </span>
          )}
        </summary>
        <div class="fields">
          {fields.map((field) => (
            <label class="field" key={field.name}>
              {field.title}
              <Input
                field={field}
                value={settings[field.name]}
                onChange={(value) => change(field.name, value)}
              />
            </label>
          ))}
        </div>
      </details>
      <Problems problems={problemsOf(problems, 'settings')} />
    </div>
  );
}

interface InputProps {
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Input({ field: { choices, example = '' }, value, onChange }: InputProps) {
  if (choices === undefined)
    return (
      <input
        value={value}
        spellcheck={false}
        placeholder={example}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  return (
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {choices.map(([choice, shown]) => (
        <option key={choice} value={choice}>
          {shown}
        </option>
      ))}
    </select>
  );
}
