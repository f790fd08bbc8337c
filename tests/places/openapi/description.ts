import { Ajv2020 } from 'ajv/dist/2020.js';
import * as z from 'zod';
import { openApiDocument } from '../../../src/places/enforce-api/openapi/document.ts';

const media = z.object({
  schema: z.unknown(),
  examples: z.record(z.string(), z.object({ value: z.unknown() })).default({}),
});
const response = z.object({
  headers: z.record(z.string(), z.unknown()),
  content: z.record(z.string(), media),
});
const operation = z.object({
  requestBody: z.object({ content: z.record(z.string(), media) }).optional(),
  responses: z.record(z.string(), response),
});
const description = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ responses: z.record(z.string(), response) }),
});

type Response = z.output<typeof response>;
type Media = z.output<typeof media>;
export type Operation = z.output<typeof operation>;

const DOCUMENT = openApiDocument();

/** The description, as far as tests read it. */
export const DESCRIPTION = description.parse(DOCUMENT);

/** Every operation with its path and method, as in `POST /enforce`. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  Object.entries(DESCRIPTION.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => [`${method.toUpperCase()} ${path}`, one] as const),
  ),
);

/** What is described of an answer to a request; undefined where nothing is. */
export function describedResponse(method: string, path: string, status: number): Response | undefined {
  const { PathNotFound, MethodNotAllowed } = DESCRIPTION.components.responses;
  const methods = DESCRIPTION.paths[path];
  if (methods === undefined) return PathNotFound;
  return methods[method.toLowerCase()]?.responses[status] ?? (status === 405 ? MethodNotAllowed : undefined);
}

/** What stands in a description of problems: the names of the errors. */
export function errorsIn(responses: Readonly<Record<string, Response>>): readonly string[] {
  return Object.values(responses).flatMap(({ content }) => {
    const { data } = problemSchema.safeParse(content['application/problem+json']?.schema);
    return data?.properties.type.enum ?? [];
  });
}

const problemSchema = z.object({
  properties: z.object({ type: z.object({ enum: z.array(z.string()) }) }),
});

const ajv = new Ajv2020({ allErrors: true, strict: false });

/** What of a value is not as a media type describes it. */
export function deviations(value: unknown, { schema }: Media): readonly unknown[] {
  const validate = ajv.compile({ ...Object(schema), components: DOCUMENT['components'] });
  validate(value);
  return validate.errors ?? [];
}
