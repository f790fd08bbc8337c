import path from 'node:path';
import { baseImages } from '../image/build.ts';
import type { Architecture } from '../standalone/node-binary.ts';
import { directDependencies, packagesIn, productionAndBundled } from '../licenses/locked-packages.ts';
import { sbomOf } from './paths.ts';
import { PROJECT, writeBom, type OtherPart } from './sbom.ts';

function nodeOf(version: string): OtherPart {
  return { type: 'platform', name: 'node', version, purl: `pkg:generic/node@${version}`, license: 'MIT' };
}

/** An image that is named by tag and digest. */
function imagePart(reference: string): OtherPart {
  const [name = reference, digest = ''] = reference.split('@');
  const [repository = name, tag = ''] = name.split(/:(?=[^/]*$)/u);
  const short = repository.split('/').at(-1) ?? repository;
  const query = new URLSearchParams({ repository_url: repository, ...(tag && { tag }) });
  return {
    type: 'container',
    name: repository,
    version: digest || tag,
    purl: `pkg:oci/${short}${digest && `@${digest.replace(':', '%3A')}`}?${query.toString()}`,
  };
}

function subjectOf(purl: string, type: OtherPart['type'] = 'application'): OtherPart {
  return { ...PROJECT, purl, type };
}

/**
 * The bill of materials of the npm package: what installing it brings along, and the packages that code was taken from.
 *
 * @param bundled the folders of the latter
 */
export function writeNpmBom(output: string, bundled: readonly string[]): void {
  writeBom(path.join(output, sbomOf('npm')), {
    subject: PROJECT,
    packages: productionAndBundled(bundled),
    direct: directDependencies(bundled),
    others: [],
  });
}

/**
 * That of the image: the packages that code was taken from, Node, and the base that holds the C libraries.
 *
 * @param folders of these packages
 */
export function writeImageBom(output: string, folders: readonly string[], nodeVersion: string): void {
  writeBom(path.join(output, sbomOf('image')), {
    subject: subjectOf(`pkg:oci/authz-jsonmasking?tag=${PROJECT.version}`, 'container'),
    packages: packagesIn(folders),
    direct: directDependencies(folders),
    others: [nodeOf(nodeVersion), ...baseImages().slice(1).map(imagePart)],
  });
}

/**
 * That of a standalone package: Node, and the packages that code was taken from.
 *
 * @param folders of these packages
 */
export function writeStandaloneBom(
  output: string,
  architecture: Architecture,
  folders: readonly string[],
  nodeVersion: string,
): void {
  writeBom(path.join(output, sbomOf(`linux-${architecture}`)), {
    subject: subjectOf(`pkg:generic/authz-jsonmasking@${PROJECT.version}?os=linux&arch=${architecture}`),
    packages: packagesIn(folders),
    direct: directDependencies(folders),
    others: [nodeOf(nodeVersion)],
  });
}
