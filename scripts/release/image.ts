import { mkdirSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { buildImage, obstacle } from '../image/build.ts';
import { findEngine } from '../image/engine.ts';
import { run } from '../standalone/run.ts';
import { IMAGE_ARCHIVE } from './paths.ts';

const manifest = z.tuple([z.object({ Layers: z.array(z.string()) })]);

function layersOf(folder: string): readonly string[] {
  const text = run('tar', ['-xOf', path.join(folder, IMAGE_ARCHIVE), 'manifest.json']).toString();
  return manifest.parse(JSON.parse(text))[0].Layers;
}

/** Why the images of two builds may differ; undefined if they should not. */
export function imageDifference(one: string, other: string): string | undefined {
  const [layers, others] = [layersOf(one), layersOf(other)];
  const differing = layers.filter((layer) => !others.includes(layer)).length;
  if (differing === 0) {
    return 'the layers are the same, and the configuration names the container that it was built in';
  }
  if (differing === 1 && layers.length === others.length)
    return 'one layer has what V8 compiled ahead of the service, which can differ in a few bytes';
  return findEngine()?.name === 'docker' ? 'docker writes the time of the build into layers' : undefined;
}

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
