import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A command line tool that checks and tests need: Helm and kubeconform for the charts, Vale for prose. */
export type ToolName = 'helm' | 'kubeconform' | 'vale';

interface Source {
  readonly module: string;
  /** What the tool's own build sets: its version, and the Kubernetes that it takes for granted. */
  readonly variables: Readonly<Record<string, string>>;
}

const SOURCES: Readonly<Record<ToolName, Source>> = {
  helm: {
    module: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
    variables: {
      'helm.sh/helm/v3/internal/version.version': 'v3.22.0',
      'helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor': '1',
      'helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor': '37',
      'helm.sh/helm/v3/pkg/lint/rules.k8sVersionMajor': '1',
      'helm.sh/helm/v3/pkg/lint/rules.k8sVersionMinor': '37',
    },
  },
  kubeconform: { module: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0', variables: {} },
  // Later versions depend on a commit that the module proxy does not serve.
  vale: {
    module: 'github.com/vale-cli/vale/v3/cmd/vale@v3.20.0',
    variables: { 'main.version': 'v3.20.0' },
  },
};

const FOLDER = path.resolve('.tools/bin');

/** Where a tool is: found on the path, or installed into the project. */
function findTool(name: ToolName): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), FOLDER];
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

function isThereGo(): boolean {
  return spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;
}

function installTool(name: ToolName): boolean {
  const { module, variables } = SOURCES[name];
  const flags = Object.entries(variables).map(([variable, value]) => `-X ${variable}=${value}`);
  process.stderr.write(`Building ${module}, which takes minutes the first time.\n`);
  const { status } = spawnSync('go', ['install', '-ldflags', ['-s', '-w', ...flags].join(' '), module], {
    // Outside the project, whose folder may lie in a Go module of its own.
    cwd: tmpdir(),
    env: { ...process.env, GOBIN: FOLDER },
    stdio: 'inherit',
  });
  return status === 0;
}

/**
 * A tool, built with the Go toolchain where it is not found.
 *
 * @returns its path; undefined where there is no Go either, or where the build failed
 */
export function ensureTool(name: ToolName): string | undefined {
  return findTool(name) ?? (isThereGo() && installTool(name) ? findTool(name) : undefined);
}
