import path from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { closeAll } from '../pdp/transport/setup.ts';
import { eventually } from '../support/eventually.ts';
import { mountedPolicies } from '../support/mounted-policies.ts';
import { freePort } from '../../scripts/tools/free-port.ts';
import { render, type Values } from './support/helm.ts';
import { describeOpa, startOpa, stopOpa } from './support/opa.ts';
import { folderWith } from './support/pod.ts';

function masking(action: string): string {
  return `package masking

decision := {"rules": [{"policy": "Card numbers", "properties": ["card"], "action": "${action}"}]}
`;
}

const OPA: Values = { policies: { 'masking.rego': masking('last(4)') } };

interface Asked {
  readonly opa?: Values;
  readonly authorizer?: Values;
  readonly folders?: Readonly<Record<string, string>>;
}

/** Runs OPA as the chart says, and returns what sends it requests. */
async function opaOf({ opa = OPA, authorizer = {}, folders }: Asked) {
  const port = await freePort();
  const values = {
    global: { policyAgent: { pdp: { protocol: 'opa', port } } },
    pdp: { opa },
    'authz-jsonmasking': { enabled: true, ...authorizer },
  };
  await startOpa(render(values, { chart: 'policy-agent' }), port, folders);
  return (method: string, target: string, body?: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${target}`, { method, ...(body !== undefined && { body }) });
}

const DECISION = '/v1/data/masking/decision';

afterEach(async () => {
  await stopOpa();
  await closeAll();
});

describeOpa('OPA, started as the chart says', () => {
  it('answers with the rules of the ConfigMap, and is ready', async () => {
    const ask = await opaOf({ opa: { ...OPA, config: { decision_logs: { console: true } } } });
    const answer = await ask('POST', DECISION, '{"input":{}}');
    expect(await answer.json()).toMatchObject({ result: { rules: [{ action: 'last(4)' }] } });
  });

  it('refuses to change, list and compile policies, and other documents', async () => {
    const ask = await opaOf({});
    const refused: readonly (readonly [string, string, string?])[] = [
      ['PUT', '/v1/policies/masking', masking('value(1)')],
      ['DELETE', '/v1/policies/masking.rego'],
      ['GET', '/v1/policies'],
      ['PUT', DECISION, '{"rules":[]}'],
      ['PATCH', '/v1/data', '[{"op":"add","path":"/masking","value":{}}]'],
      ['DELETE', '/v1/data/masking'],
      ['GET', '/v1/data'],
      ['GET', DECISION],
      ['POST', '/v1/data', '{"input":{}}'],
      ['POST', '/v1/data/masking', '{"input":{}}'],
      ['POST', `${DECISION}/rules`, '{"input":{}}'],
      ['POST', `${DECISION}?explain=full`, '{"input":{}}'],
      ['POST', '/v0/data/masking/decision', '{}'],
      ['POST', '/v1/query', '{"query":"data"}'],
      ['POST', '/v1/compile', '{"query":"data.masking.decision"}'],
      ['POST', '/v1/compile/masking/decision', '{"input":{}}'],
      ['GET', '/v1/config'],
      ['GET', '/v1/status'],
      ['POST', '/', '{}'],
    ];
    for (const [method, target, body] of refused) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const { status } = await ask(method, target, body);
      expect([method, target, status]).toEqual([method, target, 401]);
    }
    const answer = await ask('POST', DECISION, '{"input":{}}');
    expect(await answer.json()).toMatchObject({ result: { rules: [{ action: 'last(4)' }] } });
  });

  it.each(['/health', '/health?bundles', '/metrics'])('answers GET %s', async (target) => {
    const ask = await opaOf({});
    expect((await ask('GET', target)).status).toBe(200);
  });

  it('answers the document that the authorizer of the release asks it for', async () => {
    const filters =
      'package filters\n\nimport rego.v1\n\n# METADATA\n# scope: document\n# compile:\n#   unknowns: [input.tickets]\ninclude if input.tickets.a == 1\n';
    const pdpUrl = 'http://{{ .Release.Name }}-pdp:8080/v1/compile/filters/include';
    const ask = await opaOf({
      opa: { policies: { 'filters.rego': filters } },
      authorizer: { config: { pdpProtocol: 'opa', pdpUrl } },
    });
    expect((await ask('POST', '/v1/compile/filters/include', '{"input":{}}')).status).not.toBe(401);
    expect((await ask('POST', '/v1/compile/filters/other', '{"input":{}}')).status).toBe(401);
  });

  it('answers what a policy of the user allows, too', async () => {
    const more = `package system.authz

allow if {
	input.method == "POST"
	input.path == ["v1", "data", "others"]
}
`;
    const ask = await opaOf({
      opa: { policies: { 'masking.rego': masking('last(4)'), 'authz.rego': more } },
    });
    expect((await ask('POST', '/v1/data/others', '{"input":{}}')).status).toBe(200);
    expect((await ask('GET', '/v1/policies')).status).toBe(401);
  });

  it('reads policies that exist already again when the kubelet exchanges them, and keeps them if they are wrong', async () => {
    const { file, replace } = await mountedPolicies(masking('last(4)'), 'masking.rego');
    const ask = await opaOf({
      opa: { existingPoliciesConfigMap: 'rego' },
      folders: { '/etc/policy-agent': path.dirname(file) },
    });
    const action = async (): Promise<string> => {
      const answer = await ask('POST', DECISION, '{"input":{}}');
      return /"action":"([^"]*)"/u.exec(await answer.text())?.[1] ?? '';
    };
    expect(await action()).toBe('last(4)');
    await replace(masking('MASK'));
    await eventually(async () => (await action()) === 'MASK');
    await replace('packge');
    await replace(masking('first(4)'));
    await eventually(async () => (await action()) === 'first(4)');
    expect((await ask('GET', '/v1/policies')).status).toBe(401);
  });

  it('runs with a configuration that exists already next to its policies', async () => {
    const ask = await opaOf({
      opa: { ...OPA, existingConfigSecret: 'opa' },
      folders: { '/etc/opa': folderWith({ 'config.yaml': 'labels: { team: payments }\n' }) },
    });
    expect((await ask('PUT', '/v1/policies/masking', masking('value(1)'))).status).toBe(401);
    expect((await ask('POST', DECISION, '{"input":{}}')).status).toBe(200);
  });
});
