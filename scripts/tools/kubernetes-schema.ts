import lodash from 'lodash';
import * as z from 'zod';

type Json = Readonly<Record<string, unknown>>;

/** The schema of one kind, in a file that kubeconform finds. */
export interface SchemaFile {
  readonly name: string;
  readonly schema: Json;
}

/** What the charts render, and what their users may add: `<kind>` of `<group>/<version>`. */
const KINDS: readonly (readonly [group: string, version: string, kind: string])[] = [
  ['', 'v1', 'ConfigMap'],
  ['', 'v1', 'Pod'],
  ['', 'v1', 'Secret'],
  ['', 'v1', 'Service'],
  ['', 'v1', 'ServiceAccount'],
  ['apps', 'v1', 'Deployment'],
  ['autoscaling', 'v2', 'HorizontalPodAutoscaler'],
  ['networking.k8s.io', 'v1', 'Ingress'],
  ['networking.k8s.io', 'v1', 'NetworkPolicy'],
  ['policy', 'v1', 'PodDisruptionBudget'],
];

const REFERENCE = '#/definitions/';
const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const OF_STRING_OR_NUMBER = { oneOf: [{ type: 'string' }, { type: 'number' }] };
/** Some definitions leave out what every object has. */
const OF_EVERY_OBJECT = { apiVersion: { type: 'string' }, kind: { type: 'string' } };
/** What only describes a schema, or is a format that would be held against values such as durations. */
const NOT_KEPT = new Set(['description', 'format', 'default', 'example', 'title']);

const swagger = z.object({ definitions: z.record(z.string(), z.record(z.string(), z.unknown())) });

const groupVersionKinds = z.array(z.object({ group: z.string(), version: z.string(), kind: z.string() }));

const customResource = z.object({
  spec: z.object({
    group: z.string(),
    names: z.object({ kind: z.string() }),
    versions: z.array(
      z.object({
        name: z.string(),
        schema: z.object({ openAPIV3Schema: z.record(z.string(), z.unknown()) }),
      }),
    ),
  }),
});

function isAnnotation(key: string): boolean {
  return key.startsWith('x-') || NOT_KEPT.has(key);
}

function isStringOrNumber(schema: Json): boolean {
  return schema['format'] === 'int-or-string' || schema['x-kubernetes-int-or-string'] === true;
}

/** Refuses members that are not known, as the API server does with strict field validation. */
function closedIfKnown(schema: Json, written: Json): Json {
  const isOpen = written['x-kubernetes-preserve-unknown-fields'] === true || 'additionalProperties' in schema;
  return 'properties' in schema && !isOpen ? { ...schema, additionalProperties: false } : schema;
}

function strictMap(schemas: Json): Json {
  return lodash.mapValues(schemas, strict);
}

/** The strict JSON schema for what OpenAPI says of a value. */
function strict(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(strict);
  if (!lodash.isPlainObject(written)) return written;
  const schema = z.record(z.string(), z.unknown()).parse(written);
  if (isStringOrNumber(schema)) return OF_STRING_OR_NUMBER;
  const kept = lodash.omitBy(schema, (_, key) => isAnnotation(key));
  const members = lodash.mapValues(kept, (value, key) =>
    key === 'properties' ? strictMap(z.record(z.string(), z.unknown()).parse(value)) : strict(value),
  );
  return closedIfKnown(members, schema);
}

function strictObject(written: Json): Json {
  return z.record(z.string(), z.unknown()).parse(strict(written));
}

function referencesIn(schema: unknown): readonly string[] {
  const references = [...JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)];
  return lodash.uniq(references.flatMap(([, name]) => name ?? []));
}

/** The definitions that a schema needs, and those that they need. */
function closure(root: string, definitions: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const found = new Map<string, Json>();
  const open = [root];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const schema = name === QUANTITY ? OF_STRING_OR_NUMBER : strictObject(definitions[name] ?? {});
    found.set(name, schema);
    open.push(...referencesIn(schema).filter((other) => !found.has(other)));
  }
  return Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** As kubeconform names it with `{{.ResourceKind}}{{.KindSuffix}}.json`. */
function fileName(group: string, version: string, kind: string): string {
  const prefix = group.split('.', 1)[0] ?? '';
  return `${[kind, prefix, version].filter(Boolean).join('-').toLowerCase()}.json`;
}

/** The schemas of the kinds that the charts render, from the OpenAPI document of a version of Kubernetes. */
export function kubernetesSchemas(document: unknown): readonly SchemaFile[] {
  const { definitions } = swagger.parse(document);
  return KINDS.map(([group, version, kind]) => {
    const root = Object.keys(definitions).find((name) => {
      const kinds = groupVersionKinds.safeParse(definitions[name]?.['x-kubernetes-group-version-kind']);
      return kinds.success && lodash.some(kinds.data, { group, version, kind });
    });
    if (root === undefined) throw new Error(`This Kubernetes has no ${group}/${version} ${kind}`);
    const schema = { $ref: `${REFERENCE}${root}`, definitions: closure(root, definitions) };
    return { name: fileName(group, version, kind), schema };
  });
}

/**
 * The schemas of every version of a custom resource, from its CustomResourceDefinition.
 *
 * @param kinds others have none
 */
export function customSchemas(definition: unknown, kinds: ReadonlySet<string>): readonly SchemaFile[] {
  const { group, names, versions } = customResource.parse(definition).spec;
  if (!kinds.has(names.kind)) return [];
  return versions.map(({ name, schema }) => {
    const strictSchema = strictObject(schema.openAPIV3Schema);
    const properties = z.record(z.string(), z.unknown()).parse(strictSchema['properties']);
    return {
      name: fileName(group, name, names.kind),
      schema: {
        ...strictSchema,
        properties: { ...OF_EVERY_OBJECT, ...properties, metadata: { type: 'object' } },
      },
    };
  });
}
