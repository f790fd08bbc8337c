/** Has V8 compile the bundled program ahead: `node scripts/compile-ahead.ts dist/program`. */
import process from 'node:process';
import { compileAhead } from './program/compile-ahead.ts';

const [, , folder = ''] = process.argv;
compileAhead(folder, process.execPath, 'service');
