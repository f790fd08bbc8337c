import lodash from 'lodash';
import { MASKED_RECORDS, MASKS, MASKS_REQUEST } from '../../chart/support/masks.ts';
import { Callers } from '../support/callers.ts';
import { expectWords } from '../support/command.ts';
import { check, skip } from '../support/report.ts';
import { within, type Space } from '../support/space.ts';
import { restart } from './disturbances.ts';

const RELEASE = 'agent';
const CHART = 'policy-agent';
const AUTHORIZER = 'agent-authz-jsonmasking';

/** The image of Open Policy Agent, with its tag; empty if the cluster has none. */
const OPA_IMAGE = process.env['OPA_IMAGE'] ?? '';

/** JSON is Rego. A rule has the words of a policy, and its own for the name. */
const RULES = MASKS.map((one) => lodash.mapKeys(one, (_, key) => (key === 'name' ? 'policy' : key)));
const REGO = `package masking\n\ndecision := ${JSON.stringify({ rules: RULES })}\n`;

function values(isOn: boolean): object {
  const [, repository = '', tag = ''] = /^(.*):([^:/]*)$/.exec(OPA_IMAGE) ?? [];
  const networkPolicy = { enabled: true };
  const expected = { request: MASKS_REQUEST, expected: MASKED_RECORDS };
  return {
    global: { policyAgent: { pdp: { protocol: 'opa' } } },
    pdp: {
      networkPolicy,
      opa: { image: { registry: '', repository, tag }, policies: { 'masking.rego': REGO } },
    },
    test: expected,
    'authz-jsonmasking': { enabled: isOn, networkPolicy, test: expected },
  };
}

async function deployments(space: Space): Promise<string> {
  return space.kubectl('get', 'deployment', '-o', 'name');
}

async function switchOff(space: Space): Promise<void> {
  await space.install(RELEASE, CHART, values(false));
  const left = await deployments(space);
  if (left.includes('jsonmasking')) throw new Error('It is still there');
  expectWords(await space.helm('test', RELEASE, '--logs'), 'Decided:');
}

/** No request is lost while OPA's pods are replaced. */
async function replaceOpa(space: Space): Promise<void> {
  const url = `http://${AUTHORIZER}.${space.namespace}.svc:5002/enforce`;
  const load = { url, body: MASKS_REQUEST, pause: 800, hidden: '123-45-6789' };
  const callers = await Callers.start(space, 'callers', load);
  const selector = 'app.kubernetes.io/instance=agent,app.kubernetes.io/component=pdp';
  await callers.loseNothing(() => restart(space, { deployment: 'agent-pdp', selector }));
  await callers.stop();
}

/** The umbrella with Open Policy Agent as its PDP: on, and off again. */
export async function agentWithOpa(): Promise<void> {
  if (OPA_IMAGE === '') {
    skip('the agent masks by Open Policy Agent', 'OPA_IMAGE names no image of it that the cluster has');
    return;
  }
  await within('agent-opa', async (space) => {
    const isThere = await check('the agent is installed with Open Policy Agent and the authorizer', () =>
      space.install(RELEASE, CHART, values(true)),
    );
    if (!isThere) return;
    await check(
      'helm test of the agent with OPA passes below NetworkPolicies: a mask of every kind holds',
      async () => expectWords(await space.helm('test', RELEASE, '--logs'), 'Enforced:', 'Decided:'),
    );
    await check("the agent's OPA: no request is lost in a rollout restart", () => replaceOpa(space));
    await check('enabled: false removes the authorizer again, and OPA decides on', () => switchOff(space));
  });
}
