/**
 * Builds the container image with the first of docker, podman and buildah that works here: `node scripts/image.ts`. The
 * environment may set IMAGE (the name; its tag is the version), ARCHIVE (a file to write the image to, for `kind load
 * image-archive`), BUILD_IMAGE and RUNTIME_IMAGE (see Dockerfile). With PUSH, a list of platforms, docker builds it for them and
 * pushes it; a workflow gets its name and its digest as outputs.
 */
import { appendFileSync } from 'node:fs';
import { buildImage, pushImage } from './image/build.ts';

function push(platforms: string): void {
  const { image, digest } = pushImage(platforms);
  process.stdout.write(`Pushed ${image}@${digest}.\n`);
  const outputs = process.env['GITHUB_OUTPUT'];
  if (outputs !== undefined) appendFileSync(outputs, `image=${image}\ndigest=${digest}\n`);
}

try {
  const platforms = process.env['PUSH'];
  if (platforms === undefined) buildImage(process.env['ARCHIVE']);
  else push(platforms);
} catch (error) {
  process.stderr.write(`${Error.isError(error) ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
