import { Kind, kindOf, namesOf, scalarTextAt, stringAt, valueOf, type JsonPart } from '../core/index.ts';

/** Whether a vendor says who the user is. An `entityId` that is null or empty names nobody. */
export function namesUser({ doc, node }: JsonPart): boolean {
  return Array.from(namesOf(doc, node)).some((name) => {
    const member = stringAt(doc, name);
    const value = valueOf(name);
    const isEmpty = kindOf(doc, value) === Kind.null || scalarTextAt(doc, value) === '';
    return member === 'subject' || (member === 'entityId' && !isEmpty);
  });
}
