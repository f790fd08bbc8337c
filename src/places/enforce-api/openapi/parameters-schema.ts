import lodash from 'lodash';
import * as z from 'zod';
import { parametersSchema } from '../../../enforcement/index.ts';
import type { Json } from './json.ts';
import { PATH_PATTERN } from './path-pattern.ts';

type Name = keyof z.input<typeof parametersSchema>;

const PATH: Json = { pattern: PATH_PATTERN, maxLength: 4096 };

/** The keywords of each member besides its type, which comes from the schema. */
const MEMBERS: Readonly<Record<Name, Json>> = {
  root: {
    description:
      'The root: a path to the object, the array of objects, or the several of them at which enforcement starts. ' +
      'Without it, the configured `rootWord`, or else the payload itself.',
    ...PATH,
  },
  assetType: {
    description:
      'The asset type that the policies use for the protected properties. Without it, `assetType` of the ' +
      'configuration, `columns` by default.',
  },
  calculationType: {
    description:
      '`resolution` decides by the values in the payload, `context` by assets that the payload names.',
    default: 'resolution',
  },
  maskString: {
    description:
      'The replacement for a masked string. Without it, `maskString` of the configuration. A masked value of any ' +
      'other type becomes null.',
  },
  filter: {
    description: 'Whether `FILTER` actions remove whole records. Without it, `filter` of the configuration.',
  },
  FILTER: { description: 'Another spelling of `filter`, which wins if both are given.' },
  assetId: {
    description: 'Required with `context`: the path to the identifier in a record.',
    ...PATH,
  },
  protectedObject: { description: 'Required with `context`: the asset type of the records.' },
};

/** In context, an asset identifier and its type are required. */
const CONTEXT_NEEDS: Json = {
  anyOf: [
    { properties: { calculationType: { const: 'resolution' } } },
    { required: ['assetId', 'protectedObject'] },
  ],
};

/** `parameters` of an enforce request. Unknown members are refused. */
export function parametersJsonSchema(): Json {
  const { type, properties = {} } = z.toJSONSchema(parametersSchema, { io: 'input' });
  return {
    description: 'Flags that guide how the request is evaluated. Unknown ones are refused with 400.',
    type,
    properties: lodash.mapValues(MEMBERS, (member, name) => ({
      ...lodash.toPlainObject(properties[name]),
      ...member,
    })),
    additionalProperties: false,
    ...CONTEXT_NEEDS,
  };
}
