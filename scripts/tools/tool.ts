import { existsSync } from 'node:fs';
import path from 'node:path';
import { installFromApt, type AptSource } from './sources/apt.ts';
import { installFromDebian, type DebianSource } from './sources/debian.ts';
import { FOLDER } from './sources/folder.ts';
import { buildWithGo, type GoSource } from './sources/go.ts';
import { installFromNpm, type NpmSource } from './sources/npm.ts';
import { installFromPython, type PythonSource } from './sources/python.ts';

type Source = GoSource | NpmSource | PythonSource | DebianSource | AptSource;

const SOURCES = {
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
  'kube-score': { module: 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0', variables: {} },
  checkov: { package: 'checkov==3.3.30' },
  // Later versions depend on modules that the module proxy does not serve.
  promtool: {
    module: 'github.com/prometheus/prometheus/cmd/promtool@v0.315.0',
    variables: {},
    hasReplacements: true,
    // Without the clients of every cloud, which take most of the time to build.
    tags: 'remove_all_sd',
  },
  actionlint: { module: 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12', variables: {} },
  zizmor: { package: 'zizmor==1.32.0' },
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
  nginx: { debian: ['nginx'], program: 'usr/sbin/nginx' },
  curl: { debian: ['curl'], program: 'usr/bin/curl' },
  'qemu-aarch64-static': {
    debian: [
      'qemu-user-static',
      'libc6-arm64-cross',
      'libgcc-s1-arm64-cross',
      'libstdc++6-arm64-cross',
      'libatomic1-arm64-cross',
    ],
    program: 'usr/bin/qemu-aarch64-static',
  },
  chromium: { apt: 'chromium' },
} as const satisfies Readonly<Record<string, Source>>;

/** A command line tool that checks and tests need. */
export type ToolName = keyof typeof SOURCES;

/** @returns where a tool is, on the path or installed into the project; undefined if it is not there */
export function findTool(name: ToolName): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), FOLDER];
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

function installTool(name: ToolName): boolean {
  const source: Source = SOURCES[name];
  if ('npm' in source) return installFromNpm(name, source);
  if ('package' in source) return installFromPython(name, source);
  if ('debian' in source) return installFromDebian(name, source);
  if ('apt' in source) return installFromApt(source);
  return buildWithGo(name, source);
}

/**
 * A tool. One that is not found is built with the Go toolchain, or installed from npm, PyPI or Debian.
 *
 * @returns its path; undefined if none is possible
 */
export function ensureTool(name: ToolName): string | undefined {
  return findTool(name) ?? (installTool(name) ? findTool(name) : undefined);
}
