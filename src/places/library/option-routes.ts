import * as z from 'zod';
import { configurationError, type Problem } from '../../yaml/index.ts';
import { expectationOf, parametersSchema } from '../../enforcement/index.ts';
import { nearestOf } from '../../nearest.ts';
import { compileRoutes, ROUTE_KEYS, type Routes } from '../routes/index.ts';
import type { MaskResponsesOptions, RouteOptions } from './api.ts';

const NAME = 'The options of maskResponses';

/** An object, or a function that gives it for a request. */
const forRequest = z.custom(
  (value) =>
    typeof value === 'function' || (typeof value === 'object' && value !== null && !Array.isArray(value)),
  'must be an object or a function',
);
const schema = z.strictObject({
  vendor: forRequest.optional(),
  parameters: forRequest.optional(),
  routes: ROUTE_KEYS.routes,
  trustedHeaders: ROUTE_KEYS.trustedHeaders,
});

const ROUTE_MEMBERS: Readonly<Record<keyof RouteOptions, true>> = {
  path: true,
  methods: true,
  pass: true,
  refuse: true,
  parameters: true,
  vendor: true,
  nonJson: true,
  rawPath: true,
};
const KNOWN = [
  ...Object.keys(schema.shape),
  ...Object.keys(ROUTE_MEMBERS),
  ...Object.keys(parametersSchema.shape),
];

/**
 * Checks the options of the middleware, and compiles their routes. Paths that no route matches are enforced as the options say.
 *
 * @param hasIdentity whether the enforcer verifies tokens
 * @param asksSubject whether its PDP is asked about a subject
 * @throws ConfigurationError with every problem at once
 */
export function routesFrom(
  options: MaskResponsesOptions<never>,
  hasIdentity: boolean,
  asksSubject: boolean,
): Routes {
  const { data, error } = schema.safeParse(options, { reportInput: true });
  if (data === undefined)
    throw configurationError(
      NAME,
      (error?.issues ?? []).flatMap((issue) => problemsIn(issue)),
    );
  const problems = [...variableProblems(data.vendor), ...parameterProblems(data.parameters)];
  if (problems.length > 0) throw configurationError(NAME, problems);
  const compiled = compileRoutes(
    { ...data, otherwise: {} },
    { takesNumbers: asksSubject, hasVendorOfRequest: typeof data.vendor === 'function' },
  );
  if (!compiled.needsClaims || hasIdentity) return compiled;
  const message =
    'name claims, but the enforcer verifies no tokens; configure identity.jwt in createEnforcer';
  throw configurationError(NAME, [{ key: 'routes', message }]);
}

/** Nothing replaces variables here, and the PDP would be asked about a user of that name. */
function variableProblems(vendor: unknown): readonly Problem[] {
  const members = typeof vendor === 'object' && vendor !== null ? Object.entries(vendor) : [];
  return members
    .filter(([, value]) => JSON.stringify(value)?.includes('${'))
    .map(([name]) => ({
      key: `vendor.${name}`,
      message: 'contains ${…}, which only the vendor of a route may; give a function of the request',
    }));
}

const parametersOfAll = z.strictObject(parametersSchema.shape);

/** What is wrong with parameters that are the same for every request. */
function parameterProblems(parameters: unknown): readonly Problem[] {
  if (typeof parameters !== 'object') return [];
  const { error } = parametersOfAll.safeParse(parameters, { reportInput: true });
  return (error?.issues ?? []).flatMap((issue) => problemsIn(issue, ['parameters']));
}

function problemsIn(issue: z.core.$ZodIssue, within: readonly string[] = []): readonly Problem[] {
  const place = [...within, ...issue.path.map(String)];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownKey([...place, key].join('.'), key));
  if (place.length === 0) return [{ key: '', message: 'They have to be an object, such as { vendor }.' }];
  const expectation = expectationOf(issue);
  const message = expectation === undefined ? issue.message : `must be ${expectation}`;
  return [
    { key: place.join('.'), message: issue.input === undefined ? `is required and ${message}` : message },
  ];
}

function unknownKey(key: string, name: string): Problem {
  return { key, message: `is not a known key${nearestOf(name, KNOWN)}` };
}
