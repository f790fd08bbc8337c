import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A command line tool that checks and tests need. */
export type ToolName = 'helm' | 'helm4' | 'kubeconform' | 'vale' | 'opa' | 'cerbos';

/** A module that the Go toolchain builds. */
interface GoSource {
  readonly module: string;
  /** The name of the binary that Go builds, if it is not that of the tool. */
  readonly binary?: string;
  /** What the tool's own build sets: its version, and the Kubernetes that it takes for granted. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A package of npm that has the program. */
interface NpmSource {
  readonly npm: string;
  /** The program in the package's folder. */
  readonly program: string;
  /** Node's names of the only system that the program runs on. */
  readonly runsOn: string;
}

const SOURCES: Readonly<Record<ToolName, GoSource | NpmSource>> = {
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
  // Later versions depend on a commit that the module proxy does not serve.
  vale: {
    module: 'github.com/vale-cli/vale/v3/cmd/vale@v3.20.0',
    variables: { 'main.version': 'v3.20.0' },
  },
  opa: { module: 'github.com/open-policy-agent/opa@v1.22.2', variables: {} },
  cerbos: {
    npm: '@cerbos/cerbos-linux-x64@0.55.0',
    program: 'node_modules/@cerbos/cerbos-linux-x64/cerbos-linux-x64',
    runsOn: 'linux x64',
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
  const source = SOURCES[name];
  return 'npm' in source ? installFromNpm(name, source) : isThereGo() && buildWithGo(name, source);
}

/** Into a folder of its own, so that nothing that ships depends on it. */
function installFromNpm(name: ToolName, { npm, program, runsOn }: NpmSource): boolean {
  if (runsOn !== `${process.platform} ${process.arch}`) return false;
  const folder = path.resolve('.tools/npm');
  mkdirSync(folder, { recursive: true });
  mkdirSync(FOLDER, { recursive: true });
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...options, npm], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) return false;
  const link = path.join(FOLDER, name);
  rmSync(link, { force: true });
  symlinkSync(path.join(folder, program), link);
  return true;
}

function buildWithGo(name: ToolName, { module, binary = name, variables }: GoSource): boolean {
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
 * A tool. One that is not found is built with the Go toolchain, or installed from npm.
 *
 * @returns its path; undefined if neither is possible
 */
export function ensureTool(name: ToolName): string | undefined {
  return findTool(name) ?? (installTool(name) ? findTool(name) : undefined);
}
