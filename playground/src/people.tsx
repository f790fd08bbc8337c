import type { Problem } from './answer.ts';
import { Problems, problemsOf } from './problems.tsx';
import type { User, Work } from './work.ts';

interface PeopleProps {
  readonly work: Work;
  readonly problems: readonly Problem[];
  readonly onChange: (part: Partial<Work>) => void;
}

const TITLES = ['First user', 'Second user'];

/** Who asks: one user, or two side by side. */
export function People({ work, problems, onChange }: PeopleProps) {
  const { users, isComparing } = work;
  const set = (at: number, user: User): void =>
    onChange({ users: at === 0 ? [user, users[1]] : [users[0], user] });
  const shown = isComparing ? users : users.slice(0, 1);
  const hasScopes = work.source === 'policies' && /^scopes:/m.test(work.policies);
  return (
    <div>
      <div class="people">
        {shown.map((user, i) => (
          <Person
            key={i}
            title={TITLES[i] ?? ''}
            isAlone={!isComparing}
            user={user}
            hasScopes={hasScopes}
            onChange={(changed) => set(i, changed)}
          />
        ))}
      </div>
      <Problems problems={problemsOf(problems, 'user')} />
    </div>
  );
}

interface PersonProps {
  readonly title: string;
  readonly isAlone: boolean;
  readonly user: User;
  /** Whether the policy file has scopes, of which the user enters one. */
  readonly hasScopes: boolean;
  readonly onChange: (user: User) => void;
}

function Person({ title, isAlone, user, hasScopes, onChange }: PersonProps) {
  return (
    <fieldset class="person">
      <legend class={isAlone ? 'hidden' : ''}>{isAlone ? 'User' : title}</legend>
      <label class="field">
        Entity type
        <input
          value={user.entityTypeId}
          spellcheck={false}
          onInput={({ currentTarget }) => onChange({ ...user, entityTypeId: currentTarget.value })}
        />
      </label>
      <label class="field">
        Entity id
        <input
          value={user.entityId}
          spellcheck={false}
          onInput={({ currentTarget }) => onChange({ ...user, entityId: currentTarget.value })}
        />
      </label>
      {hasScopes && (
        <label class="field wide">
          Client id of the scope
          <input
            value={user.clientId ?? ''}
            spellcheck={false}
            onInput={({ currentTarget }) => onChange({ ...user, clientId: currentTarget.value })}
          />
        </label>
      )}
      <label class="field wide">
        Claims
        <input
          class="code"
          value={user.claims}
          spellcheck={false}
          placeholder={'{ "region": "EU" }'}
          onInput={({ currentTarget }) => onChange({ ...user, claims: currentTarget.value })}
        />
      </label>
    </fieldset>
  );
}
