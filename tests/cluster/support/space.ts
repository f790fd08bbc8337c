import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureTool } from '../../../scripts/tools/tool.ts';
import { outcomeOf, outputOf, type Outcome } from './command.ts';

export type HelmVersion = 'helm' | 'helm4';

/** Every namespace of the suite has this label. */
const LABEL = 'authz-jsonmasking-suite';
const RESTRICTED = 'pod-security.kubernetes.io/enforce=restricted';

/** A namespace for a part of the suite, and commands that work in it without naming it. */
export class Space {
  readonly namespace: string;
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(namespace: string, folder: string) {
    this.namespace = namespace;
    this.#folder = folder;
    const KUBECONFIG = path.join(folder, 'kubeconfig');
    this.#env = { ...process.env, KUBECONFIG, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  }

  /** Makes an empty namespace, which enforces the restricted Pod Security Standard. */
  static async create(name: string, version: HelmVersion = 'helm'): Promise<Space> {
    const folder = mkdtempSync(path.join(tmpdir(), 'authz-jsonmasking-cluster-'));
    symlinkSync(ensureHelm(version), path.join(folder, 'helm'));
    for (const file of ['charts', 'values.sample.yaml']) {
      cpSync(file, path.join(folder, file), { recursive: true });
    }
    const space = new Space(`authz-test-${name}`, folder);
    await space.#open();
    return space;
  }

  async #open(): Promise<void> {
    const view = ['kubectl', 'config', 'view', '--raw', '--minify', '--flatten'];
    writeFileSync(path.join(this.#folder, 'kubeconfig'), await outputOf(view, { env: process.env }), {
      mode: 0o600,
    });
    await this.kubectl('config', 'set-context', '--current', `--namespace=${this.namespace}`);
    await this.kubectl('delete', 'namespace', this.namespace, '--ignore-not-found');
    await this.kubectl('create', 'namespace', this.namespace);
    await this.kubectl('label', 'namespace', this.namespace, `${LABEL}=yes`, RESTRICTED);
  }

  kubectl(...args: readonly string[]): Promise<string> {
    return outputOf(['kubectl', ...args], { env: this.#env });
  }

  /** What a `kubectl` or `helm` command comes to, which may fail. */
  outcome(...line: readonly string[]): Promise<Outcome> {
    return outcomeOf(line, { env: this.#env });
  }

  helm(...args: readonly string[]): Promise<string> {
    return outputOf(['helm', ...args], { env: this.#env });
  }

  /** Runs a script as a shell does that a user types it into, in a folder with the charts and the files of this space. */
  shell(script: string): Promise<string> {
    return outputOf(['bash', '-euo', 'pipefail', '-c', `cd ${this.#folder}\n${script}`], { env: this.#env });
  }

  /** Applies resources. */
  apply(resources: readonly object[], ...flags: readonly string[]): Promise<string> {
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: resources });
    return outputOf(['kubectl', 'apply', '-f', '-', ...flags], { env: this.#env, input });
  }

  /** Writes a file that commands can name. */
  file(name: string, content: unknown): string {
    const file = path.join(this.#folder, name);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  }

  /** The folder of a chart of the project. */
  chart(name: string): string {
    return path.join(this.#folder, 'charts', name);
  }

  /** Installs a chart of the project, or upgrades it, and waits until it is there. */
  install(release: string, chart: string, values: object, ...flags: readonly string[]): Promise<string> {
    const file = this.file(`${release}.json`, values);
    const wait = ['--wait', '--timeout', '150s'];
    return this.helm('upgrade', '--install', release, this.chart(chart), '--values', file, ...wait, ...flags);
  }

  /** Removes the namespace with everything in it. */
  async close(): Promise<void> {
    await this.kubectl('delete', 'namespace', this.namespace, '--wait=false', '--ignore-not-found');
    rmSync(this.#folder, { recursive: true });
  }
}

/** Brings the charts that others depend on into their folders. */
export async function buildDependencies(): Promise<void> {
  for (const chart of ['policy-agent', 'example-microservice']) {
    const line = [ensureHelm('helm'), 'dependency', 'build', `charts/${chart}`];
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await outputOf(line, { env: process.env });
  }
}

function ensureHelm(version: HelmVersion): string {
  const helm = ensureTool(version);
  if (helm === undefined) throw new Error(`${version} is not on the path, and Go is not there to build it`);
  return path.resolve(helm);
}

/** Runs a part of the suite in a namespace of its own, which is removed afterwards. */
export async function within(
  name: string,
  run: (space: Space) => Promise<void>,
  version: HelmVersion = 'helm',
): Promise<void> {
  const space = await Space.create(name, version);
  try {
    await run(space);
  } finally {
    await space.close();
  }
}
