import lodash from 'lodash';
import * as z from 'zod';
import { parametersSchema } from '../../../enforcement/index.ts';
import type { Json } from './json.ts';
import { PATH_PATTERN } from './path-pattern.ts';

type Name = keyof z.input<typeof parametersSchema>;

const PATH: Json = { pattern: PATH_PATTERN, maxLength: 4096 };

/** What is to be said of each member besides its type, which is the schema's own. */
const MEMBERS: Readonly<Record<Name, Json>> = {
  root: {
    description:
      'Where enforcement starts in the payload: a path to an object, an array of objects, or several of them. Without ' +
      'it, the configured `rootWord`, or else the payload itself.',
    ...PATH,
  },
  assetType: {
    description:
      'The asset type that stands for the protected properties in the policies. Without it, the configured one, which ' +
      'is `columns` unless it is changed.',
  },
  calculationType: {
    description:
      '`resolution` decides by what stands in the payload, `context` by assets that the payload only names.',
    default: 'resolution',
  },
  maskString: {
    description:
      'What a masked string becomes. Without it, the configured one. Values of any other type become null.',
  },
  filter: {
    description: 'Whether `FILTER` actions remove whole records. Without it, as configured.',
  },
  FILTER: { description: 'Another spelling of `filter`, which wins over it.' },
  assetId: {
    description: 'Required in context: where the identifier of a record stands, as a path.',
    ...PATH,
  },
  protectedObject: { description: 'Required in context: the asset type of the records.' },
};

/** In context, an asset identifier and its type are required. */
const CONTEXT_NEEDS: Json = {
  anyOf: [
    { properties: { calculationType: { const: 'resolution' } } },
    { required: ['assetId', 'protectedObject'] },
  ],
};

/** `parameters` of an enforce request (specification 2.2). Unknown members are refused (enforcement §1). */
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
