import { readFileSync } from 'node:fs';
import * as z from 'zod';

const manifest = z.object({
  version: z.string(),
  description: z.string(),
  repository: z.object({ url: z.string() }),
});

/** What package.json says of the project; every other file that says it is generated from there, or compared. */
export const PROJECT = manifest.parse(JSON.parse(readFileSync('package.json', 'utf8')));

/** The address of the repository, such as `https://github.com/OWNER/authz-jsonmasking`. */
export const REPOSITORY_URL = PROJECT.repository.url.replace(/^git\+/u, '').replace(/\.git$/u, '');

/** The owner and the name of the repository, as `owner/name`. */
export const REPOSITORY = new URL(REPOSITORY_URL).pathname.slice(1);

/** What the repository's owner is called until the project has one. */
export const NO_OWNER = 'OWNER';
