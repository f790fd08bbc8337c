/** Builds the archive for a processor unless it is current: `flock build node tests/standalone/build-current.ts x64`. */
import process from 'node:process';
import { buildArchive, isCurrent } from './archive.ts';

const [architecture = process.arch] = process.argv.slice(2);
if (!isCurrent(architecture)) await buildArchive(architecture);
