import { LIST_VALUE, STRUCT, VALUE } from './fields.ts';
import { WireError, type WireReader } from './wire.ts';

/** A value of `google.protobuf.Struct`: JSON, with objects that have no prototype. */
export type StructValue =
  null | boolean | number | string | readonly StructValue[] | { readonly [name: string]: StructValue };

/** How deep metadata may nest; claims of tokens are a few levels deep. */
const MAX_DEPTH = 32;

/** @throws WireError if it is none, or nests too deeply */
export function readStruct(reader: WireReader, depth = 0): StructValue {
  if (depth > MAX_DEPTH) throw new WireError(`The metadata nests more than ${MAX_DEPTH} levels.`);
  const members: [string, StructValue][] = [];
  for (let number = reader.next(); number !== undefined; number = reader.next()) {
    if (number === STRUCT.fields) {
      const [name, value] = reader.message((entry) => readEntry(entry, (inner) => readValue(inner, depth)));
      members.push([name, value ?? null]);
    } else reader.skip();
  }
  return Object.assign(Object.create(null), Object.fromEntries(members));
}

/** An entry of a map, whose key is field 1 and whose value is field 2. */
export function readEntry<T>(
  reader: WireReader,
  read: (reader: WireReader) => T,
): readonly [name: string, value: T | undefined] {
  let name = '';
  let value: T | undefined;
  for (let number = reader.next(); number !== undefined; number = reader.next()) {
    if (number === 1) name = reader.string();
    else if (number === 2) value = reader.message(read);
    else reader.skip();
  }
  return [name, value];
}

function readValue(reader: WireReader, depth: number): StructValue {
  let value: StructValue = null;
  for (let number = reader.next(); number !== undefined; number = reader.next()) {
    if (number === VALUE.numberValue) value = reader.double();
    else if (number === VALUE.stringValue) value = reader.string();
    else if (number === VALUE.boolValue) value = reader.bool();
    else if (number === VALUE.structValue) value = reader.message((inner) => readStruct(inner, depth + 1));
    else if (number === VALUE.listValue) value = reader.message((inner) => readList(inner, depth + 1));
    else reader.skip();
  }
  return value;
}

function readList(reader: WireReader, depth: number): readonly StructValue[] {
  if (depth > MAX_DEPTH) throw new WireError(`The metadata nests more than ${MAX_DEPTH} levels.`);
  const values: StructValue[] = [];
  for (let number = reader.next(); number !== undefined; number = reader.next()) {
    if (number === LIST_VALUE.values) values.push(reader.message((inner) => readValue(inner, depth)));
    else reader.skip();
  }
  return values;
}
