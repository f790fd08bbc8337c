import process from 'node:process';
import * as z from 'zod';
import { keyReferences } from '../../yaml/index.ts';
import { parametersSchema } from '../../enforcement/index.ts';
import { nearestOf } from '../../nearest.ts';
import { patternProblem } from './path-pattern.ts';
import { templateProblem } from './variables.ts';

const FIELD_NAME = /^[\w!#$%&'*+.^`|~-]+$/u;

function checked(problemOf: (text: string) => string | undefined) {
  return z.string().superRefine((text, context) => {
    const problem = problemOf(text);
    if (problem !== undefined) context.addIssue(problem);
  });
}

function methodProblem(method: string): string | undefined {
  // Loaded only if a route names a method: it is large.
  const { METHODS } = process.getBuiltinModule('node:http');
  if (METHODS.includes(method)) return undefined;
  return `is not a method${nearestOf(method, METHODS)}`;
}

const FOR_CONTEXT = ['assetId', 'protectedObject'] as const;

const parameters = z
  .strictObject(parametersSchema.shape)
  .superRefine((value, context) => {
    if (value.calculationType !== 'context') return;
    for (const name of FOR_CONTEXT) {
      if (value[name] === undefined)
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'is required if calculationType is context',
        });
    }
  })
  // For the JSON schema of the chart.
  .meta({
    if: { not: { required: ['calculationType'], properties: { calculationType: { const: 'context' } } } },
    else: {
      required: FOR_CONTEXT,
      properties: Object.fromEntries(FOR_CONTEXT.map((name) => [name, { type: 'string' }])),
    },
  });

const vendor = z.record(z.string(), z.unknown()).superRefine((value, context) => {
  for (const { path, message } of valueProblems(value, []))
    context.addIssue({ code: 'custom', path: [...path], message });
});

interface ValueProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Goes no deeper than the YAML of the configuration. */
function valueProblems(value: unknown, path: ValueProblem['path']): readonly ValueProblem[] {
  const message = scalarProblem(value);
  if (message !== undefined) return [{ path, message }];
  if (Array.isArray(value)) return value.flatMap((one, index) => valueProblems(one, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => memberProblems(one, name, [...path, name]));
}

function memberProblems(value: unknown, name: string, path: ValueProblem['path']): readonly ValueProblem[] {
  return name.includes('${') ? [{ path, message: 'has a variable in its name' }] : valueProblems(value, path);
}

function scalarProblem(value: unknown): string | undefined {
  if (typeof value === 'string') return templateProblem(value);
  if (typeof value !== 'number' || (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER))
    return undefined;
  return 'is a number that would lose digits; put it in quotes';
}

/** What is done with an exchange. */
const treatment = {
  pass: z.boolean().optional(),
  refuse: z.boolean().optional(),
  parameters: parameters.optional(),
  vendor: vendor.optional(),
  nonJson: z.enum(['refuse', 'pass']).optional(),
  rawPath: z.boolean().optional(),
};

type Treatment = z.output<z.ZodObject<typeof treatment>>;

const ENFORCING = ['parameters', 'vendor', 'nonJson'] as const;

/** A route either passes, refuses or enforces: what belongs to another treatment would be ignored. */
function refuseContradictions(value: Treatment, context: z.RefinementCtx): void {
  const { pass = false, refuse = false } = value;
  if (pass && refuse)
    context.addIssue({ code: 'custom', path: ['refuse'], message: 'contradicts pass; keep one of them' });
  if (!pass && !refuse) return;
  for (const name of ENFORCING) {
    if (value[name] !== undefined)
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `means nothing with ${pass ? 'pass' : 'refuse'}: nothing is enforced`,
      });
  }
}

/** The same for the JSON schema of the chart, in which null means that a key is not given. */
const WITHOUT_CONTRADICTIONS = {
  allOf: ['pass', 'refuse'].map((name) => ({
    if: { not: { required: [name], properties: { [name]: { const: true } } } },
    else: {
      properties: {
        ...(name === 'pass' && { refuse: { enum: [false, null] } }),
        ...Object.fromEntries(ENFORCING.map((key) => [key, { type: 'null' }])),
      },
    },
  })),
};

/** A method that a route is for. */
export const routeMethod = checked(methodProblem);

const route = z
  .strictObject({
    path: checked(patternProblem),
    methods: z.array(routeMethod).min(1).optional(),
    ...treatment,
  })
  .superRefine(refuseContradictions)
  .meta(WITHOUT_CONTRADICTIONS);

/** The keys that say what is enforced on which exchanges. */
export const ROUTE_KEYS = {
  routes: z
    .array(route)
    .default([])
    .register(keyReferences, {
      description:
        'How the reverse proxy and the external processor treat requests. The first route that matches applies. ' +
        'Each route has a `path` (`*` matches within a segment, `**` any number of segments) and optionally ' +
        '`methods`. It passes the response (`pass: true`), refuses the request (`refuse: true`), or enforces ' +
        'with its `vendor` and `parameters`. `docs/proxy.md` explains variables, `nonJson` and `rawPath`.',
      form: 'both',
      example: [{ path: '/health/**', pass: true }],
    }),
  otherwise: z
    .strictObject(treatment)
    .superRefine(refuseContradictions)
    .meta(WITHOUT_CONTRADICTIONS)
    .default({})
    .register(keyReferences, {
      description:
        'How to treat requests that no route matches, written like a route without `path` and `methods`. Without ' +
        'this key, their responses are enforced with an empty `vendor` and no parameters.',
      form: 'both',
    }),
  trustedHeaders: z
    .array(z.string().regex(FIELD_NAME, 'must be the name of a header field'))
    .default([])
    .register(keyReferences, {
      description:
        'The header fields that only a gateway in front sets, after it has authenticated the caller. If a route ' +
        'uses a field as `${headers.x}` and this list does not have it, the service drops the field from ' +
        'requests. Unless they are listed, `X-Forwarded-Proto` and `X-Forwarded-Host` are replaced.',
      form: 'both',
    }),
} as const;

type Output = z.output<z.ZodObject<typeof ROUTE_KEYS>>;
export type RoutesConfiguration = { readonly [Key in keyof Output]: Readonly<Output[Key]> };
export type RouteTreatment = Treatment;

/** Whether a route lets something pass that is not enforced: such a route is for the paths alone that are written as its own is. */
export function letsThrough({ pass, nonJson }: Pick<RouteTreatment, 'pass' | 'nonJson'>): boolean {
  return pass === true || nonJson === 'pass';
}
