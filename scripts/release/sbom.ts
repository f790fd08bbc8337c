import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '../../src/version.ts';
import { sourceDate } from '../standalone/archive.ts';
import type { LockedPackage } from '../licenses/locked-packages.ts';

type Json = Readonly<Record<string, unknown>>;

/** A part of what ships that is no package of npm, such as Node. */
export interface OtherPart {
  readonly type: 'application' | 'container' | 'platform';
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly license?: string;
}

export interface Contents {
  /** What the bill of materials is of. */
  readonly subject: OtherPart;
  readonly packages: readonly LockedPackage[];
  /** The folders of the packages that the project's own code requires. */
  readonly direct: readonly string[];
  readonly others: readonly OtherPart[];
}

function purlOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** What the project itself is in a bill of materials. */
export const PROJECT: OtherPart = {
  type: 'application',
  name: 'authz-jsonmasking',
  version: VERSION,
  purl: purlOf({ name: 'authz-jsonmasking', version: VERSION }),
  license: 'Apache-2.0',
};

function licensesOf(license: string | undefined): Json {
  return license === undefined ? {} : { licenses: [{ expression: license }] };
}

function hashesOf(integrity: string | undefined): Json {
  const [, digest] = /^sha512-(\S+)/u.exec(integrity ?? '') ?? [];
  if (digest === undefined) return {};
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] };
}

function packageComponent({ folder, name, version, license, integrity }: LockedPackage): Json {
  const parts = { ...licensesOf(license), ...hashesOf(integrity) };
  return { type: 'library', 'bom-ref': folder, name, version, purl: purlOf({ name, version }), ...parts };
}

function otherComponent({ type, name, version, purl, license }: OtherPart): Json {
  return { type, 'bom-ref': purl, name, version, purl, ...licensesOf(license) };
}

/** The graph, of the packages that are listed alone. */
function dependenciesOf({ subject, packages, direct, others }: Contents): readonly Json[] {
  const listed = new Set(packages.map(({ folder }) => folder));
  const own = [...direct.filter((folder) => listed.has(folder)), ...others.map(({ purl }) => purl)];
  return [
    { ref: subject.purl, dependsOn: own.toSorted() },
    ...packages.map(({ folder, requires }) => ({
      ref: folder,
      dependsOn: [...new Set(requires.filter((one) => listed.has(one)))].toSorted(),
    })),
  ];
}

/** A UUID that is the same for the same contents. */
function serialNumber(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `urn:uuid:${groups.join('-')}`;
}

/** A bill of materials in CycloneDX 1.6, as JSON. The same contents give the same bytes. */
export function bom(contents: Contents): string {
  const body = {
    version: 1,
    metadata: {
      timestamp: new Date(Number(sourceDate()) * 1000).toISOString(),
      component: otherComponent(contents.subject),
    },
    components: [...contents.others.map(otherComponent), ...contents.packages.map(packageComponent)],
    dependencies: dependenciesOf(contents),
  };
  const head = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumber(JSON.stringify(body)),
  };
  return `${JSON.stringify({ ...head, ...body }, undefined, 2)}\n`;
}

/** Writes a bill of materials into the folder of a release. */
export function writeBom(file: string, contents: Contents): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, bom(contents));
}
