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
  if (data === undefined) throw configurationError(NAME, (error?.issues ?? []).flatMap(problemsIn));
  const compiled = compileRoutes({ ...data, otherwise: {} }, false, asksSubject);
  if (!compiled.needsClaims || hasIdentity) return compiled;
  const message =
    'name claims, but the enforcer verifies no tokens; configure identity.jwt in createEnforcer';
  throw configurationError(NAME, [{ key: 'routes', message }]);
}

function problemsIn(issue: z.core.$ZodIssue): readonly Problem[] {
  const place = issue.path.map(String);
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
