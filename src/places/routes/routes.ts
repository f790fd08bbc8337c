import _ from 'lodash';
import { TOP, scan, type JsonPart } from '../../core/index.ts';
import { DEEPEST, intentFrom, type HeaderFields, type Intent } from '../../enforcement/index.ts';
import { ServiceError } from '../../errors.ts';
import { callerClaims, mustNameCaller, userClaims, type CallerClaim } from './caller-claims.ts';
import { MAX_OVERRIDES, overridesOf, type Override } from './overrides.ts';
import { compilePattern, type PathPattern } from './path-pattern.ts';
import { PrefixIndex } from './prefix-index.ts';
import { folded, MAX_SEGMENTS, readPath, type RequestPath, type Segments } from './request-path.ts';
import { letsThrough, type RoutesConfiguration, type RouteTreatment } from './section.ts';
import { JsonTemplate, type RequestFacts } from './template.ts';
import { methodsTaken, unreachedRoutes } from './unreached.ts';
import { UntrustedFields } from './untrusted-fields.ts';

/** What a route does with an exchange. */
export interface Route {
  /** Its path in the configuration, or `otherwise`: for logs and metrics. */
  readonly name: string;
  readonly treatment: 'pass' | 'refuse' | 'enforce';
  /** Whether answers of other media types than JSON pass on a route that enforces. */
  readonly passesNonJson: boolean;
  /** Whether it needs the claims of a verified token. */
  readonly needsClaims: boolean;
  /** The header fields that say who the caller is, in lower case. */
  readonly identityHeaders: readonly string[];
}

/** A request and the route that it takes. */
export interface RouteMatch {
  readonly route: Route;
  /** Normalized, without the query. */
  readonly path: string;
  /** That of the request, and those that an application may take in its place. */
  readonly methods: readonly string[];
  /**
   * What is asked of the PDP.
   *
   * @throws ServiceError `token-refused` or `variable-missing` if the request lacks what the route needs
   */
  intent(facts: Omit<RequestFacts, 'path'>): Pick<Intent, 'vendor' | 'parameters'>;
}

/** Which route a request takes. */
export interface Routes {
  /** The header fields that routes name and that are not trusted: they are dropped from requests. */
  readonly untrustedHeaders: UntrustedFields;
  readonly needsClaims: boolean;
  /** The paths of routes that no request takes. */
  readonly unreached: () => readonly string[];
  /**
   * The first route that matches.
   *
   * @param target of the request, in origin form
   * @param fields of the request
   * @param served the target that the application has made of it, if it has
   * @throws ServiceError `path-ambiguous` if the application could take the request for one that is treated more strictly
   */
  find(method: string, target: string, fields?: HeaderFields, served?: string): RouteMatch;
}

/** How the PDP is asked about the user where a route does not name one. */
interface AskedUser {
  /** Whether it is asked about the user of the token. */
  readonly asksSubject?: boolean;
  /** Whether a number can say who asks: for a PDP that is asked about a subject. */
  readonly takesNumbers?: boolean;
  /** Whether a function of the application says who asks. */
  readonly hasVendorOfRequest?: boolean;
}

/** Compiles verified routes (docs/proxy.md#routes). */
export function compileRoutes(
  { routes, otherwise, trustedHeaders }: RoutesConfiguration,
  { asksSubject = false, takesNumbers = asksSubject, hasVendorOfRequest = false }: AskedUser = {},
): Routes {
  const user = { asksSubject, takesNumbers, hasVendorOfRequest };
  const table = routes.map(
    (one) =>
      new TableRoute(one.path, one, compilePattern(one.path, letsThrough(one)), {
        ...user,
        methods: one.methods,
      }),
  );
  const takesAll = { prefix: [], foldedPrefix: [], matches: () => true, matchesFolded: () => true };
  const rest = new TableRoute('otherwise', otherwise, takesAll, user);
  const all = [...table, rest];
  const searched = new RouteTable(all);
  const trusted = new Set(trustedHeaders.map((name) => name.toLowerCase()));
  return {
    untrustedHeaders: new UntrustedFields(
      all.flatMap((one) => one.identityHeaders),
      trusted,
    ),
    needsClaims: all.some((one) => one.needsClaims),
    unreached: _.once(() => unreachedRoutes(routes)),
    find(method, target, fields = [], served = target) {
      const match = find(searched, rest, method, target);
      const named = overridesOf({ method, target }, fields, trusted);
      const overrides = served === target ? named : [...named, { method, target: served }];
      if (overrides.length === 0) return match;
      refuseOverrides(match, { method, target }, overrides, searched);
      return { ...match, methods: overrides.map((one) => one.method) };
    },
  };
}

function namesUser({ subject, entityId }: Readonly<Record<string, unknown>>): boolean {
  return subject !== undefined || (entityId !== undefined && entityId !== null && entityId !== '');
}

/** The routes of all paths. */
const TAKE_ALL: ReadonlySet<string> = new Set(['otherwise', '/**']);

const STRICTNESS = { pass: 0, enforce: 1, refuse: 2 } as const;

class TableRoute implements Route {
  readonly name: string;
  readonly pattern: PathPattern;
  readonly treatment: Route['treatment'];
  readonly passesNonJson: boolean;
  readonly takesRawPaths: boolean;
  readonly #parameters: Intent['parameters'];
  readonly #vendor: JsonTemplate;
  /** The vendor of every request, if it has no variables. */
  readonly #constant: JsonPart | undefined;
  readonly identityHeaders: readonly string[];
  readonly needsClaims: boolean;
  /** Whether it is for all paths that no other route takes. */
  readonly takesAll: boolean;
  /** What is asked of the PDP, as it is configured. */
  readonly #written: string;
  readonly #callerClaims: readonly CallerClaim[];
  /** Whether the PDP is asked about who the caller is, and not about somebody that the route names. */
  readonly #asksWho: boolean;
  readonly #methods: ReadonlySet<string> | undefined;

  constructor(
    name: string,
    written: RouteTreatment,
    pattern: PathPattern,
    {
      asksSubject,
      takesNumbers,
      hasVendorOfRequest,
      methods,
    }: Required<AskedUser> & { readonly methods?: readonly string[] | undefined },
  ) {
    const { pass = false, refuse = false, rawPath = false, nonJson, parameters = {}, vendor = {} } = written;
    this.name = name;
    this.treatment = pass ? 'pass' : refuse ? 'refuse' : 'enforce';
    this.passesNonJson = nonJson === 'pass';
    this.takesRawPaths = rawPath;
    this.#parameters = intentFrom(
      { vendor: '{}', parameters: JSON.stringify(parameters) },
      DEEPEST,
    ).parameters;
    this.#vendor = new JsonTemplate(vendor);
    this.#constant = this.#vendor.variables.length > 0 ? undefined : vendorPart(JSON.stringify(vendor));
    this.identityHeaders = _.uniq(
      this.#vendor.variables.flatMap((one) => (one.kind === 'header' ? [one.name] : [])),
    );
    const asksUser = asksSubject && !namesUser(vendor);
    this.needsClaims = asksUser || this.#vendor.variables.some(({ kind }) => kind === 'claim');
    this.#callerClaims = [...callerClaims(vendor, takesNumbers), ...(asksUser ? userClaims : [])];
    this.#asksWho =
      this.needsClaims || this.identityHeaders.length > 0 || (hasVendorOfRequest && !namesUser(vendor));
    this.takesAll = TAKE_ALL.has(name) && methods === undefined;
    this.#written = JSON.stringify([parameters, vendor]);
    this.pattern = pattern;
    this.#methods = methods && methodsTaken(methods);
  }

  intent(facts: RequestFacts): Pick<Intent, 'vendor' | 'parameters'> {
    const vendor = this.#constant ?? vendorPart(this.#vendor.render(facts));
    mustNameCaller(this.#callerClaims, facts);
    return { vendor, parameters: this.#parameters };
  }

  isStricterThan(other: TableRoute): boolean {
    if (this.treatment !== other.treatment) return STRICTNESS[this.treatment] > STRICTNESS[other.treatment];
    if (this.treatment !== 'enforce') return false;
    return (other.passesNonJson && !this.passesNonJson) || (this.#asksWho && !other.#asksWho);
  }

  /** Whether both enforce, but do not ask the PDP the same. */
  differsFrom(other: TableRoute): boolean {
    return this.treatment === 'enforce' && other.treatment === 'enforce' && this.#written !== other.#written;
  }

  /** Whether the PDP is asked about the method or the path of a request, so that one on the same route may ask something else. */
  asksAbout(kind: 'method' | 'path'): boolean {
    return this.treatment === 'enforce' && this.#vendor.variables.some((one) => one.kind === kind);
  }

  /** Whether it protects in a way that a request on the other route would get around. */
  protectsBeyond(other: TableRoute): boolean {
    return this.isStricterThan(other) || (!this.takesAll && this.differsFrom(other));
  }

  matches(method: string, segments: Segments, endsInSlash: boolean): boolean {
    return this.#takes(method) && this.pattern.matches(segments, endsInSlash);
  }

  matchesFolded(method: string, segments: Segments, endsInSlash: boolean): boolean {
    return this.#takes(method) && this.pattern.matchesFolded(segments, endsInSlash);
  }

  #takes(method: string): boolean {
    return this.#methods?.has(method) ?? true;
  }
}

/** All routes, of which the first applies that takes a request. */
class RouteTable {
  readonly #exact: PrefixIndex<TableRoute>;
  readonly #folded: PrefixIndex<TableRoute>;

  constructor(routes: readonly TableRoute[]) {
    this.#exact = new PrefixIndex(routes, ({ pattern }) => pattern.prefix);
    this.#folded = new PrefixIndex(routes, ({ pattern }) => pattern.foldedPrefix);
  }

  find({ method, endsInSlash }: Asked, segments: Segments): TableRoute | undefined {
    return this.#exact.find(segments, (one) => one.matches(method, segments, endsInSlash));
  }

  /** In a server that ignores letter case. */
  findInAnyCase({ method, endsInSlash }: Asked, segments: Segments): TableRoute | undefined {
    const inLowerCase = segments.map(folded);
    return this.#folded.find(inLowerCase, (one) => one.matchesFolded(method, inLowerCase, endsInSlash));
  }
}

/** What routes look at besides the segments of a path. */
interface Asked {
  readonly method: string;
  readonly endsInSlash: boolean;
}

function vendorPart(json: string): JsonPart {
  return { doc: scan(Buffer.from(json), DEEPEST), node: TOP };
}

function find(
  all: RouteTable,
  rest: TableRoute,
  method: string,
  target: string,
): RouteMatch & { readonly route: TableRoute } {
  const path = readPath(target);
  if (path === undefined)
    throw ambiguous(
      target.startsWith('/') ? `has more than ${MAX_SEGMENTS} segments` : 'does not begin with a slash',
    );
  const route = all.find({ method, endsInSlash: path.endsInSlash }, path.segments) ?? rest;
  if (!route.takesRawPaths) refuseAmbiguous(path, route, all, method);
  return {
    route,
    path: path.text,
    methods: [method],
    intent: (facts) => route.intent({ ...facts, path: path.text }),
  };
}

/**
 * Nothing is passed that another reading would enforce, and no reading is a way around the intent of a route: a path that some
 * servers take for that of another route is refused.
 */
function refuseAmbiguous(path: RequestPath, route: TableRoute, all: RouteTable, method: string): void {
  if (path.isAmbiguous) throw ambiguous('has characters that parsers read in different ways');
  const { segments, doubleSlashed, otherReadings, endsInSlash } = path;
  const request = { method, endsInSlash };
  // To most servers, they are one slash: they matter only where no route or a less strict one takes the path.
  const kept = routesOf(doubleSlashed, doubleSlashed, all, request);
  const others = routesOf(otherReadings, [segments, ...otherReadings], all, request);
  const isLoose =
    kept.some((other) => other.isStricterThan(route) || (route.takesAll && other.differsFrom(route))) ||
    others.some((other) => other.protectsBeyond(route)) ||
    (route.asksAbout('path') && routesOf(otherReadings, [], all, request).includes(route));
  if (isLoose) throw ambiguous('could be taken for one that is protected differently');
}

/** As {@link refuseAmbiguous}, for applications that take the method or the target from elsewhere, such as a header field. */
function refuseOverrides(
  { route, path: ownPath }: Pick<RouteMatch, 'path'> & { readonly route: TableRoute },
  own: Override,
  overrides: readonly Override[],
  all: RouteTable,
): void {
  if (overrides.length > MAX_OVERRIDES) throw ambiguous('is one of many that the header fields name');
  for (const { method, target } of overrides) {
    const path = readPath(target);
    const isTaken = route.takesRawPaths && target === own.target;
    if (path === undefined || (path.isAmbiguous && !isTaken))
      throw ambiguous('is replaced by one that parsers read in different ways');
    const paths = [path.segments, ...path.doubleSlashed, ...path.otherReadings];
    const readings = routesOf(paths, paths, all, { method, endsInSlash: path.endsInSlash });
    // Where the client itself names another request, it makes no difference whether a route of its own takes that one.
    const isOtherQuestion =
      readings[0]?.differsFrom(route) === true ||
      (route.asksAbout('path') && path.text !== ownPath) ||
      (route.asksAbout('method') && method !== own.method);
    if (isOtherQuestion || readings.some((other) => other.protectsBeyond(route)))
      throw ambiguous('or the method is replaced by another one, and that request is protected differently');
  }
}

/** The routes that paths take as they are, and those in a server that ignores letter case. */
function routesOf(
  exact: readonly Segments[],
  inAnyCase: readonly Segments[],
  all: RouteTable,
  asked: Asked,
): readonly TableRoute[] {
  return _.compact([
    ...exact.map((segments) => all.find(asked, segments)),
    ...inAnyCase.map((segments) => all.findInAnyCase(asked, segments)),
  ]);
}

function ambiguous(why: string): ServiceError {
  return new ServiceError('path-ambiguous', `The path ${why}.`);
}
