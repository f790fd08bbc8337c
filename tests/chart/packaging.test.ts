import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { parse } from 'yaml';
import * as z from 'zod';
import { temporaryFolder } from './support/folder.ts';
import { builtCharts, helm, refusal, render, type ChartName } from './support/helm.ts';
import { SAMPLE } from './support/matrix.ts';
import { folderWith } from './support/pod.ts';
import { describeChart } from './support/tools.ts';

const CHARTS: readonly (readonly [ChartName, readonly string[]])[] = [
  ['authz-jsonmasking', ['--values', 'values.sample.yaml']],
  ['policy-agent', []],
  ['policy-agent', ['--set', 'authz-jsonmasking.enabled=true']],
  ['example-microservice', []],
];

const chartFile = z.looseObject({
  version: z.string(),
  appVersion: z.string(),
  kubeVersion: z.string(),
  icon: z.string().optional(),
  annotations: z.record(z.string(), z.string()).default({}),
  dependencies: z.array(z.looseObject({ version: z.string() })).default([]),
});

const packageFile = z.object({ version: z.string(), devDependencies: z.object({ node: z.string() }) });

function chart(name: ChartName) {
  return chartFile.parse(parse(readFileSync(`charts/${name}/Chart.yaml`, 'utf8')));
}

const ours = packageFile.parse(JSON.parse(readFileSync('package.json', 'utf8')));

describeChart('The charts', () => {
  it.each(CHARTS)('%s %j passes the strict lint', (name, flags) => {
    expect(helm('lint', '--strict', path.join(builtCharts(), name), ...flags)).toContain('0 chart(s) failed');
  });

  it.each([['authz-jsonmasking'], ['policy-agent'], ['example-microservice']] as const)(
    '%s can be packaged, with its dependencies, and installed from the package',
    (name) => {
      const folder = temporaryFolder();
      helm('package', path.join(builtCharts(), name), '--destination', folder);
      const file = path.join(folder, `${name}-${chart(name).version}.tgz`);
      expect(existsSync(file)).toBe(true);
      // Small enough for the Secret that Helm keeps a release in, which may have 1 MiB.
      expect(statSync(file).size).toBeLessThan(200_000);
      const values = path.join(folderWith({ 'values.json': JSON.stringify(SAMPLE) }), 'values.json');
      const flags = name === 'authz-jsonmasking' ? ['--values', values] : [];
      expect(helm('template', 'my', file, ...flags)).toContain('kind: Deployment');
    },
  );

  it.each([['authz-jsonmasking'], ['policy-agent'], ['example-microservice']] as const)(
    '%s has the version of the service, and so have its dependencies',
    (name) => {
      const { version, appVersion, dependencies } = chart(name);
      expect([version, appVersion, ...dependencies.map((one) => one.version)]).toEqual(
        lodash.times(2 + dependencies.length, () => ours.version),
      );
    },
  );

  it.each([['authz-jsonmasking'], ['policy-agent']] as const)(
    '%s tells Artifact Hub what it has to',
    (name) => {
      const { annotations, icon, kubeVersion } = chart(name);
      expect(parse(annotations['artifacthub.io/changes'] ?? '')).toContainEqual({
        kind: 'added',
        description: expect.any(String),
      });
      expect(parse(annotations['artifacthub.io/images'] ?? '')).toEqual([
        { name: 'authz-jsonmasking', image: `authz-jsonmasking:${ours.version}` },
      ]);
      const drawing = readFileSync(`charts/${name}/icon.svg`, 'utf8').trim();
      expect(icon).toBe(`data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`);
      expect(kubeVersion).toBe('>=1.28.0-0');
    },
  );

  it('refuse a cluster that is too old', () => {
    expect(refusal(SAMPLE, { kubeVersion: '1.27.9' })).toContain('incompatible with Kubernetes v1.27.9');
  });

  it.each([['authz-jsonmasking'], ['policy-agent']] as const)(
    '%s has a schema for each of its values',
    (name) => {
      const schema: unknown = JSON.parse(readFileSync(`charts/${name}/values.schema.json`, 'utf8'));
      const values: unknown = parse(readFileSync(`charts/${name}/values.yaml`, 'utf8'));
      expect(Object.keys(lodash.get(schema, 'properties', {}))).toEqual(
        Object.keys(lodash.toPlainObject(values)),
      );
      expect(schema).toMatchObject({ additionalProperties: false, properties: { enabled: {}, global: {} } });
    },
  );

  it('install nothing twice under one name', () => {
    const manifests = render({ 'authz-jsonmasking': { enabled: true } }, { chart: 'policy-agent' });
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).toEqual(lodash.uniq(names));
  });
});

describeChart('The image', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');

  it('is built on bases that are pinned by tag and digest, with the Node of the project', () => {
    const bases = [...dockerfile.matchAll(/^ARG (\w+_IMAGE)=(\S+)$/gm)].map(([, , image]) => image);
    expect(bases).toEqual([
      expect.stringMatching(/:\d[\w.-]+@sha256:[0-9a-f]{64}$/),
      expect.stringMatching(/-debian\d+:nonroot@sha256:[0-9a-f]{64}$/),
    ]);
    expect(bases[0]).toContain(`node:${ours.devDependencies.node}-`);
  });

  it('runs nothing in the stages that are of its own processor, so that no emulator is needed', () => {
    const stages = dockerfile.split(/^FROM /m).slice(1);
    const foreign = stages.filter((stage) => /^\$\{(?:BUILD|RUNTIME)_IMAGE\}/.test(stage));
    expect(foreign).toHaveLength(2);
    expect(foreign.filter((stage) => /^RUN /m.test(stage))).toEqual([]);
  });

  it('has the licences of everything inside', () => {
    expect(dockerfile).toContain('cp LICENSE packaging/standalone/node-license.txt licenses/');
    expect(dockerfile).toContain('fs.renameSync("dist/third-party.txt", "licenses/third-party.txt")');
    expect(dockerfile).toContain('COPY --from=build /app/licenses /app/licenses');
  });

  it('has only what everyone can read, whatever umask it is built with', () => {
    const [, build = '', , image = ''] = dockerfile.split(/^FROM /m);
    const made = /^RUN node scripts\/readable\.ts (?<folders>.+)\n$/m.exec(build)?.groups?.['folders'];
    const copied = [...image.matchAll(/^COPY (?!--from=node )(.+) \S+$/gm)].map(([, from]) => from);
    expect(copied).toEqual(made?.split(' ').map((folder) => `--from=build /app/${folder}`));
  });

  it('runs as the numbered user that the charts run it as', () => {
    expect(dockerfile).toMatch(/^USER 65532:65532$/m);
  });
});
