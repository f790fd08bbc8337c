import * as fc from 'fast-check';
import lodash from 'lodash';
import type { Values } from './helm.ts';
import { oddConfiguration, TEXTS } from './odd-configuration.ts';
import { oddAgentValue, oddSidecarValue, VALUES } from './odd-value.ts';

const HOSTS = [
  'pdp',
  '{{ .Release.Name }}-pdp',
  'PDP',
  'pdp.example.com',
  'http://pdp',
  'https://pdp',
  'HTTP://PDP',
  'http://pdp/',
  'http://pdp/a',
  'pdp:80',
  '1',
  '-a',
  'a_b',
  'x'.repeat(63),
  'x'.repeat(64),
  '[::1]',
  '::1',
  '10.0.0.1',
  'localhost',
  'http://localhost',
  '127.0.0.1',
  '{{ "a b" }}',
  '{{ "" }}',
  'é',
  ' pdp',
  'pdp\n',
  'pdp ',
  'pdp?a',
  'u:p@pdp',
  'http://u:p@pdp',
  'http://',
  'ftp://pdp',
  '${A}',
  'pdp#a',
  'a..b',
  'pdp.',
];
const PORTS = [
  80,
  8080,
  443,
  8443,
  0,
  1,
  65_535,
  65_536,
  -1,
  '8080',
  '080',
  '0',
  '',
  1.5,
  1e21,
  null,
  true,
  5002,
  '1e3',
  ' 80',
];
const PROTOCOLS = ['resolution', 'opa', 'authzen', 'OPA', '', 'grpc', null, 'opa ', 1];
const DOCUMENTS = [
  'masking/decision',
  '/masking//decision/',
  '',
  '/',
  '//',
  'a b',
  'a?b',
  'a#b',
  'é',
  'a%2fb',
  'a%',
  'a%zz',
  'a/../b',
  '..',
  '.',
  '{{ .Release.Name }}',
  'a\n',
  'a\nb',
  '\ta',
  '${A}',
  'a"b',
  'a\\b',
  'a.b',
  'a;b',
  'a:b',
  'a+b',
  "a'b",
  'http://b',
  ' a',
  '<a>',
  '[0]',
  '1',
  null,
  1,
];

/** Most often as it is, which is another host for each that is rendered together. */
const host = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  fc.record({ host: fc.constantFrom(...HOSTS) }),
);
const port = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(80, 443, 8080, 8443) },
  fc.constantFrom<unknown>(...PORTS),
);
const address = fc
  .tuple(host, fc.record({ port, document: fc.constantFrom<unknown>(...DOCUMENTS) }, { requiredKeys: [] }))
  .map((parts): Values => Object.assign({}, ...parts));
const protocol = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('resolution', 'opa', 'authzen') },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(...PROTOCOLS) },
);
const file = fc.constantFrom('package masking\n\ndecision := {}\n', ...TEXTS);
const opa = fc.record({
  policies: fc.dictionary(
    fc.constantFrom('a.rego', 'b.json', 'c.yaml', 'a-b.rego', 'A.rego', '1.json'),
    file,
    {
      minKeys: 1,
      maxKeys: 3,
    },
  ),
  config: fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    fc.dictionary(
      fc.constantFrom('decision_logs', 'labels', 'a b', '1', 'yes', 'null', 'é', 'a: b'),
      fc.constantFrom<unknown>(...TEXTS, 1e21, 1e6, 0.5, 2 ** 53, true, null, [], {}, { a: 'b' }, [1, 'a']),
      { maxKeys: 3 },
    ),
  ),
});
const authorizer = fc
  .tuple(
    fc.constantFrom<Values>(
      {},
      { config: { port: 5002, attrName: 'a b', object: 'c' } },
      { config: { port: 8080 } },
      { policies: { policies: [{ name: 'a', properties: 'all', action: 'MASK' }] } },
      { networkPolicy: { enabled: true } },
      { config: { port: 5002, proxy: { port: 8443, upstream: 'http://pdp:8080' } } },
    ),
    fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, fc.record({ config: oddConfiguration })),
  )
  .map((parts): Values => Object.assign({ enabled: true }, ...parts));

interface Agent {
  readonly protocol: unknown;
  readonly address: Values;
  readonly unknown: Values;
  readonly opa: Values;
  readonly authorizer: Values;
  readonly isOn: boolean;
  readonly hasPdp: boolean;
  readonly odd: readonly { readonly place: string; readonly value: unknown }[];
}

function agentOf({
  protocol: spoken,
  address: asked,
  unknown,
  opa: ofOpa,
  authorizer: own,
  ...one
}: Agent): Values {
  const values = {
    global: { policyAgent: { pdp: { ...asked, protocol: spoken, ...unknown } } },
    pdp: { enabled: one.hasPdp, ...(spoken === 'opa' && { opa: ofOpa }) },
    ...(one.isOn && { 'authz-jsonmasking': own }),
  };
  for (const { place, value } of one.odd) lodash.set(values, place, value);
  return values;
}

/** Values of the umbrella chart: the address of its PDP, OPA, and the authorizer that asks it. */
export const oddAgent: fc.Arbitrary<Values> = fc
  .record({
    protocol,
    address,
    unknown: fc.oneof({ weight: 30, arbitrary: fc.constant({}) }, fc.constant({ scheme: 'https' })),
    opa,
    authorizer,
    isOn: fc.boolean(),
    hasPdp: fc.constantFrom(true, true, true, false),
    odd: fc.array(oddAgentValue, { maxLength: 1 }),
  })
  .map(agentOf);

const BASES: readonly Values[] = [
  { config: { port: 5002 } },
  { config: { port: 5002, metrics: { port: 9464 } } },
  { config: { port: 5002 }, sidecar: { mode: 'container' } },
  { config: { port: 5002 }, sidecar: { proxy: { enabled: true } } },
  { config: { port: 5002 }, sidecar: { mode: 'container', proxy: { enabled: true, port: 8444 } } },
  { enabled: true, config: { port: 5002 }, sidecar: {} },
];

interface Microservice {
  readonly base: Values;
  readonly odd: readonly { readonly place: string; readonly value: unknown }[];
  readonly config: Values | undefined;
  readonly port: Values;
}

function microserviceOf({ base, odd, config, port: given }: Microservice): Values {
  const values = lodash.cloneDeep(base);
  for (const { place, value } of odd) lodash.set(values, place, value);
  const own = {
    ...values,
    ...(config !== undefined && { config, policies: null }),
    resources: { limits: { cpu: null, memory: null } },
  };
  return { ...given, 'authz-jsonmasking': own };
}

/** Values of a microservice with a sidecar. */
export const oddMicroservice: fc.Arbitrary<Values> = fc
  .record({
    base: fc.constantFrom(...BASES),
    odd: fc.array(oddSidecarValue, { maxLength: 2 }),
    config: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, oddConfiguration),
    port: fc.oneof(
      { weight: 12, arbitrary: fc.constant({}) },
      fc.record({ port: fc.constantFrom<unknown>(8081, 5002, 5003, 8443, 9464, ...VALUES) }),
    ),
  })
  .map(microserviceOf);
