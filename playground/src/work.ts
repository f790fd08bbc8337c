import * as z from 'zod/mini';

/** What decides: a policy file, the decision of a PDP, or a rules document. */
export const SOURCES = ['policies', 'decision', 'rules'] as const;
export type SourceKind = (typeof SOURCES)[number];

const text = z.string();

const userSchema = z.object({
  entityTypeId: text,
  entityId: text,
  /** JSON; empty for none. */
  claims: text,
  /** The client id of a scope of the policy file. Links of earlier pages have none. */
  clientId: z.optional(text),
});

/** The settings of a request, as they are typed; empty if they are left out. */
const settingsSchema = z.object({
  root: text,
  mapper: text,
  filter: text,
  filterDefault: text,
  maskString: text,
  assetType: text,
  calculationType: text,
  assetId: text,
  protectedObject: text,
  attrName: text,
  object: text,
});

const workSchema = z.object({
  payload: text,
  source: z.enum(SOURCES),
  policies: text,
  decision: text,
  rules: text,
  users: z.tuple([userSchema, userSchema]),
  isComparing: z.boolean(),
  settings: settingsSchema,
});

export type User = z.infer<typeof userSchema>;
export type Settings = z.infer<typeof settingsSchema>;

/** Everything that the reader of the page can type. */
export type Work = z.infer<typeof workSchema>;

/** Work to begin with, and what it shows. */
export interface Example {
  readonly title: string;
  /** In a sentence or two. */
  readonly note: string;
  readonly work: Work;
}

export const NO_SETTINGS: Settings = {
  root: '',
  mapper: '',
  filter: '',
  filterDefault: '',
  maskString: '',
  assetType: '',
  calculationType: '',
  assetId: '',
  protectedObject: '',
  attrName: '',
  object: '',
};

/** Work that begins with nothing. */
export const NEW_WORK: Work = {
  payload: '[\n  { "id": 1, "name": "Ann Lee" }\n]\n',
  source: 'policies',
  policies: 'policies:\n  - name: Names are masked\n    properties: [name]\n    action: MASK\n',
  decision:
    '{\n  "response": [\n    {\n      "access": [\n        {\n          "path": "name",\n          "resourceType": "columns",\n          "attributes": { "column": ["name"] },\n          "actions": [{ "action": "MASK" }],\n          "policies": [{ "name": "Names are masked" }]\n        }\n      ]\n    }\n  ]\n}\n',
  rules:
    '{\n  "rules": [\n    { "policy": "Names are masked", "properties": ["name"], "action": "MASK" }\n  ]\n}\n',
  users: [
    { entityTypeId: 'Agent', entityId: 'jane', claims: '' },
    { entityTypeId: 'Manager', entityId: 'max', claims: '' },
  ],
  isComparing: false,
  settings: NO_SETTINGS,
};

/** @returns the work that a link carries; undefined if it carries none */
export function readWork(value: unknown): Work | undefined {
  return workSchema.safeParse(value).data;
}
