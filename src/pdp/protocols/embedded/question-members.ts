import { jsonPointer, NumberText } from '../../../core/index.ts';
import type { FieldProblem } from '../../../errors.ts';

/** The members of a PDP request that count here (docs/pdp-contract.md#the-question); all others are ignored. */
export interface Question {
  readonly clientId?: string | undefined;
  /** The other spelling of `clientId`. */
  readonly clientID?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly entityTypeId?: string | undefined;
  readonly entityId?: string | undefined;
  readonly environment?: { readonly resourceFullPath?: readonly string[] | undefined } | undefined;
  readonly includeAssetAttributes?: boolean | undefined;
  readonly includeAccessPolicy?: boolean | undefined;
  readonly resourceTypes?: readonly { readonly name: string }[] | undefined;
  readonly assetList?: readonly { readonly template: string; readonly path: string }[] | undefined;
}

/** A value in a question. */
interface Part {
  readonly value: unknown;
  readonly place: readonly PropertyKey[];
}

type Values = Readonly<Record<string, unknown>>;
type Read<T> = (part: Part) => T;

/** Reads parts of a question, and notes what is wrong with them. */
class PartReader {
  readonly problems: FieldProblem[] = [];

  readonly text: Read<string> = (part) =>
    typeof part.value === 'string' && part.value !== ''
      ? part.value
      : this.refuse(part, 'It has to be a string that is not empty.', '');

  readonly string: Read<string> = (part) =>
    typeof part.value === 'string' ? part.value : this.refuse(part, 'It has to be a string.', '');

  readonly flag: Read<boolean> = (part) =>
    typeof part.value === 'boolean' ? part.value : this.refuse(part, 'It has to be true or false.', false);

  listOf<T>(read: Read<T>): Read<readonly T[]> {
    return (part) => {
      const { value, place } = part;
      if (!Array.isArray(value)) return this.refuse(part, 'It has to be a list.', []);
      return value.map((one: unknown, index) => read({ value: one, place: [...place, index] }));
    };
  }

  /** @param read reads a member; one that is missing is undefined */
  object<T>(read: (member: (name: string) => Part) => T, otherwise: T): Read<T> {
    return (part) => {
      const { value, place } = part;
      if (!isObject(value)) return this.refuse(part, 'It has to be an object.', otherwise);
      return read((name) => memberOf(value, name, place));
    };
  }

  private refuse<T>({ place }: Part, detail: string, otherwise: T): T {
    this.problems.push({ pointer: jsonPointer(place), detail });
    return otherwise;
  }
}

/**
 * Reads the members that count.
 *
 * @returns the question, and everything that is wrong with it, by pointers
 */
export function questionIn(value: Values): {
  readonly question: Question;
  readonly problems: readonly FieldProblem[];
} {
  const parts = new PartReader();
  const { text, string, flag } = parts;
  const member = <T>(name: keyof Question, read: Read<T>): T | undefined =>
    ifGiven(memberOf(value, name, []), read);
  const type = parts.object((of) => ({ name: text(of('name')) }), { name: '' });
  const asset = parts.object((of) => ({ template: text(of('template')), path: text(of('path')) }), {
    template: '',
    path: '',
  });
  const environment = parts.object<NonNullable<Question['environment']>>(
    (of) => ({ resourceFullPath: ifGiven(of('resourceFullPath'), parts.listOf(text)) }),
    {},
  );
  const question = {
    clientId: member('clientId', text),
    clientID: member('clientID', text),
    clientSecret: member('clientSecret', string),
    entityTypeId: member('entityTypeId', text),
    entityId: member('entityId', text),
    environment: member('environment', environment),
    includeAssetAttributes: member('includeAssetAttributes', flag),
    includeAccessPolicy: member('includeAccessPolicy', flag),
    resourceTypes: member('resourceTypes', parts.listOf(type)),
    assetList: member('assetList', parts.listOf(asset)),
  };
  return { question, problems: parts.problems };
}

/** The members that count, as pointers. */
export const QUESTION_MEMBERS: readonly string[] = Object.keys(questionIn({}).question).map(
  (name) => `/${name}`,
);

function memberOf(value: Values, name: string, place: Part['place']): Part {
  return { value: Object.hasOwn(value, name) ? value[name] : undefined, place: [...place, name] };
}

function ifGiven<T>(part: Part, read: Read<T>): T | undefined {
  return part.value === undefined ? undefined : read(part);
}

function isObject(value: unknown): value is Values {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  );
}
