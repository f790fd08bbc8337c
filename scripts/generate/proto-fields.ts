import { readFileSync } from 'node:fs';
import path from 'node:path';
import lodash from 'lodash';
import protobuf, { type NamespaceBase } from 'protobufjs';

const PROTO = 'src/places/ext-proc/protocol/external-processor.proto';
const PACKAGE = 'envoy.service.ext_proc.v3';

/** `fields.ts`: the field numbers of the messages, and the values of the enumerations, of Envoy's protocol. */
export function protoFields(): string {
  const { root } = protobuf.parse(readFileSync(path.resolve(import.meta.dirname, '../..', PROTO), 'utf8'));
  const { nestedArray } = lookupPackage(root);
  const blocks = nestedArray.flatMap((one) => {
    if (one instanceof protobuf.Enum) return [constant(one.name, one.values)];
    if (!(one instanceof protobuf.Type)) return [];
    return [constant(one.name, Object.fromEntries(one.fieldsArray.map(({ name, id }) => [name, id])))];
  });
  return [`// Written by \`npm run docs\` from ${PROTO}.`, ...blocks].join('\n\n');
}

function lookupPackage(root: NamespaceBase): NamespaceBase {
  const found = root.lookup(PACKAGE);
  if (!(found instanceof protobuf.Namespace)) throw new Error(`${PROTO} has no package ${PACKAGE}`);
  return found;
}

function constant(name: string, members: Readonly<Record<string, number>>): string {
  const lines = Object.entries(members).map(([member, number]) => `  ${member}: ${number},`);
  return `export const ${lodash.snakeCase(name).toUpperCase()} = {\n${lines.join('\n')}\n} as const;`;
}
