/** Builds the page of the playground into dist/playground: `node scripts/playground.ts`. */
import { buildPage } from './playground/build.ts';

await buildPage('dist/playground');
