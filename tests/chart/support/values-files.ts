import { readFileSync } from 'node:fs';
import path from 'node:path';
import { builtCharts, helm } from './helm.ts';
import { manifestsIn, type Manifest } from './manifest.ts';
import { folderWith } from './pod.ts';

const PAGES = ['docs/kubernetes.md', 'charts/authz-jsonmasking/README.md', 'charts/policy-agent/README.md'];

/** Values files begin with a line that says which chart they are for. */
const HEADING = /^ *# ([\w-]+\.yaml), for charts\/([\w-]+)(, without the sample)?$/m;

/** A values file in the documentation. */
interface ValuesFile {
  readonly page: string;
  readonly name: string;
  readonly chart: string;
  readonly text: string;
  /** Whether it is given after the sample values. */
  readonly afterSample: boolean;
}

function valuesFilesOf(page: string): readonly ValuesFile[] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^ *```yaml\n([^]*?)^ *```$/gm)];
  return blocks.flatMap(([, text = '']) => {
    const [, name, chart, alone] = HEADING.exec(text) ?? [];
    if (name === undefined || chart === undefined) return [];
    return [{ page, name, chart, text, afterSample: chart === 'authz-jsonmasking' && alone === undefined }];
  });
}

/** Every values file in the documentation. */
export const VALUES_FILES: readonly ValuesFile[] = PAGES.flatMap(valuesFilesOf);

/** What Helm renders with a values file, as the documentation says to install it. */
export function renderFile({ chart, name, text, afterSample }: ValuesFile): readonly Manifest[] {
  const file = path.join(folderWith({ [name]: text }), name);
  const sample = afterSample ? ['--values', 'values.sample.yaml'] : [];
  return manifestsIn(helm('template', 'my', path.join(builtCharts(), chart), ...sample, '--values', file));
}
