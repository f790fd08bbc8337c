import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { buildImage, obstacle } from '../image/build.ts';
import { IMAGE_ARCHIVE } from './paths.ts';

/**
 * Writes the image into the folder of a release.
 *
 * @returns why there is none, if it cannot be built here
 */
export function addImage(output: string): string | undefined {
  const reason = obstacle();
  if (reason !== undefined) return reason;
  const file = path.join(output, IMAGE_ARCHIVE);
  mkdirSync(path.dirname(file), { recursive: true });
  buildImage(file);
  return undefined;
}
