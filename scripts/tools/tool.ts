import { spawnSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A command line tool that the chart's tests need. */
export type ToolName = 'helm' | 'helm4' | 'kubeconform';

interface Source {
  readonly module: string;
  /** The name of the binary that Go builds, if it is not that of the tool. */
  readonly binary?: string;
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
  helm4: {
    module: 'helm.sh/helm/v4/cmd/helm@v4.3.1',
    binary: 'helm',
    variables: { 'helm.sh/helm/v4/internal/version.version': 'v4.3.1' },
  },
  kubeconform: { module: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0', variables: {} },
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
  const { module, binary = name, variables } = SOURCES[name];
  // Of two tools with binaries of one name, neither may replace the other.
  const folder = path.join(FOLDER, name === binary ? '' : `${name}-build`);
  const flags = Object.entries(variables).map(([variable, value]) => `-X ${variable}=${value}`);
  process.stderr.write(`Building ${module}, which takes minutes the first time.\n`);
  const { status } = spawnSync('go', ['install', '-ldflags', ['-s', '-w', ...flags].join(' '), module], {
    // Outside the project, whose folder may lie in a Go module of its own.
    cwd: tmpdir(),
    env: { ...process.env, GOBIN: folder },
    stdio: 'inherit',
  });
  if (status === 0 && name !== binary) renameSync(path.join(folder, binary), path.join(FOLDER, name));
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
