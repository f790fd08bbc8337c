import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { VARIANTS } from '../../chart/support/matrix.ts';
import { check, skip } from '../support/report.ts';
import { within, type Space } from '../support/space.ts';

const resource = z.looseObject({ apiVersion: z.string(), kind: z.string() });

type Resource = z.output<typeof resource>;

/** The API groups and kinds that the cluster knows. */
async function knownKinds(space: Space): Promise<ReadonlySet<string>> {
  const table = await space.kubectl('api-resources', '--no-headers');
  return new Set(
    table.split('\n').map((line) =>
      line
        .trim()
        .split(/\s+/)
        .slice(-3)
        .filter((word) => word !== 'true' && word !== 'false')
        .join(' '),
    ),
  );
}

const versions = z.object({ serverVersion: z.object({ gitVersion: z.string() }) });

async function rendered(space: Space, chart: string, values: object): Promise<readonly Resource[]> {
  const { serverVersion } = versions.parse(JSON.parse(await space.kubectl('version', '-o', 'json')));
  const flags = ['--namespace', space.namespace, '--kube-version', serverVersion.gitVersion];
  const file = space.file('values.json', values);
  const text = await space.helm('template', 'my', space.chart(chart), '--values', file, ...flags);
  return parseAllDocuments(text)
    .map((document): unknown => document.toJS())
    .filter((one) => one !== null)
    .map((one) => resource.parse(one));
}

/** The API server accepts everything that the charts render. */
export async function admission(): Promise<void> {
  await within('admission', async (space) => {
    const known = await knownKinds(space);
    const isKnown = ({ apiVersion, kind }: Resource): boolean => known.has(`${apiVersion} ${kind}`);
    const unknown = new Set<string>();
    for (const { name, chart, values } of VARIANTS) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await check(`the API server accepts ${name}`, async () => {
        const all = await rendered(space, chart, values);
        all.filter((one) => !isKnown(one)).forEach(({ kind }) => unknown.add(kind));
        await space.apply(all.filter(isKnown), '--dry-run=server');
      });
    }
    for (const kind of unknown)
      skip(`the API server accepts every ${kind}`, 'the cluster does not have this kind');
  });
}
