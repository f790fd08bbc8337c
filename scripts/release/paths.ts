import path from 'node:path';
import { VERSION } from '../../src/version.ts';

/** The charts that are published. The third one is an example. */
export const PUBLISHED_CHARTS = ['authz-jsonmasking', 'policy-agent'] as const;
export type PublishedChart = (typeof PUBLISHED_CHARTS)[number];

export const NPM_PACKAGE = path.join('npm', `authz-jsonmasking-${VERSION}.tgz`);
export const IMAGE_ARCHIVE = path.join('image', `authz-jsonmasking-${VERSION}.tar`);
export const CHECKSUMS = 'SHA256SUMS';

/** A chart's package in the folder of a release. */
export function chartPackage(chart: PublishedChart): string {
  return path.join('charts', `${chart}-${VERSION}.tgz`);
}

/** The bill of materials of a part of a release, such as `npm`. */
export function sbomOf(part: string): string {
  return path.join('sbom', `authz-jsonmasking-${VERSION}-${part}.cdx.json`);
}
