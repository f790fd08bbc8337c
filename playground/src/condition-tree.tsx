import type { Condition } from './explanation.ts';

const READINGS = { present: '', absent: 'absent', unreadable: 'not readable as this type' } as const;

/** A condition, with what of it holds. */
export function ConditionTree({ condition }: { readonly condition: Condition }) {
  return (
    <ul class="tree">
      <Branch condition={condition} />
    </ul>
  );
}

function Branch({ condition }: { readonly condition: Condition }) {
  const { holds, AND, OR } = condition;
  const parts = AND ?? OR;
  const [only, ...others] = parts ?? [];
  if (only !== undefined && others.length === 0) return <Branch condition={only} />;
  return (
    <li class={holds ? 'holds' : 'fails'}>
      <span class="hidden">{holds ? 'Holds: ' : 'Does not hold: '}</span>
      {parts === undefined ? <Comparison condition={condition} /> : <span>{AND ? 'all of' : 'any of'}</span>}
      {parts !== undefined && (
        <ul>
          {parts.map((part, i) => (
            <Branch key={i} condition={part} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Comparison({ condition: { attribute, operator, read } }: { readonly condition: Condition }) {
  const reading = read && READINGS[read];
  return (
    <span>
      <code>
        {attribute} {operator}
      </code>
      {reading && <span class="reading"> {reading}</span>}
    </span>
  );
}
