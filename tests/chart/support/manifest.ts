import lodash from 'lodash';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';

const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
});

/** A resource of Kubernetes. */
export type Manifest = z.output<typeof manifestSchema>;

/**
 * The resources in the text that Helm renders.
 *
 * @throws Error if the text is not YAML, or has a key twice
 */
export function manifestsIn(text: string): readonly Manifest[] {
  const documents = parseAllDocuments(text, { uniqueKeys: true });
  if ('empty' in documents) return [];
  const [error] = documents.flatMap(({ errors }) => errors);
  if (error !== undefined) throw error;
  return documents
    .map((document) => document.toJS() as unknown)
    .filter((value) => value !== null)
    .map((value) => manifestSchema.parse(value));
}

/**
 * The one resource of a kind.
 *
 * @throws Error where there is none, or another
 */
export function theOnly(manifests: readonly Manifest[], kind: string, name?: string): Manifest {
  const found = manifests.filter(
    (one) => one.kind === kind && (name === undefined || one.metadata.name === name),
  );
  const [manifest] = found;
  if (manifest === undefined || found.length > 1)
    throw new Error(`${found.length} resources are a ${kind} ${name ?? ''}`);
  return manifest;
}

/** The kinds of resources, sorted. */
export function kindsOf(manifests: readonly Manifest[]): readonly string[] {
  return manifests.map(({ kind }) => kind).toSorted();
}

const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).default([]),
  args: z.array(z.string()).default([]),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).default([]),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })).default([]),
  securityContext: z.looseObject({}).default({}),
});

const podSpec = z.looseObject({
  containers: z.array(container),
  initContainers: z.array(container).default([]),
  volumes: z.array(z.looseObject({ name: z.string() })).default([]),
  securityContext: z.looseObject({}).default({}),
});

export type PodSpec = z.output<typeof podSpec>;
export type Container = z.output<typeof container>;

/** The pods that a resource stands for; nothing where it stands for none. */
export function podOf({ kind, ...manifest }: Manifest): PodSpec | undefined {
  if (kind === 'Pod') return podSpec.parse(manifest['spec']);
  return kind === 'Deployment' ? podSpec.parse(lodash.get(manifest, 'spec.template.spec')) : undefined;
}

/** A key of a ConfigMap. */
export function dataOf(manifest: Manifest, key: string): string {
  return z.string().parse(lodash.get(manifest, ['data', key]));
}

/** The policies in a ConfigMap of the service: their key changes with its configuration. */
export function policiesIn(manifest: Manifest): string {
  const key = Object.keys(Object(manifest['data'])).find((name) =>
    /^policies-[0-9a-f]{10}\.yaml$/u.test(name),
  );
  return dataOf(manifest, key ?? 'policies.yaml');
}
