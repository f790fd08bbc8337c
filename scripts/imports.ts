/**
 * Checks the imports between the folders of `src/` against the allow-list in CONTRIBUTING.md: `node scripts/imports.ts`.
 * Prints each import that the list does not allow, and each entry of the list that no import uses.
 */
import { allowedImports } from './imports/allowed.ts';
import { importsOfSource, type Import } from './imports/imports.ts';

const allowed = allowedImports();
const places = allowed.map(({ place }) => place);
const used = new Set<string>();
/** Any folder except `core` may import these, and the table does not list them. */
const SHARED: ReadonlySet<string> = new Set([
  'src/abortable.ts',
  'src/dashed.ts',
  'src/errors.ts',
  'src/nearest.ts',
  'src/room.ts',
  'src/shortened.ts',
  'src/version.ts',
]);

/** The place of a file: the innermost folder of the table that it is in. */
function placeOf(file: string): string | undefined {
  const candidates = places.filter((place) => file === `src/${place}` || file.startsWith(`src/${place}`));
  return candidates.toSorted((one, other) => other.length - one.length)[0];
}

function problemWith({ from, to }: Import): string | undefined {
  const [source, target] = [placeOf(from), placeOf(to)];
  if (source === undefined) return 'the table has no row for this file';
  if (target === undefined) return `the table has no row for ${to}`;
  if (source === target || (SHARED.has(to) && source !== 'core/')) return undefined;
  used.add(`${source} ${target}`);
  const isAllowed = allowed.some(({ place, imports }) => place === source && imports.includes(target));
  if (!isAllowed) return `the table does not allow ${source} to import ${target}`;
  const door = target.endsWith('/') ? `src/${target}index.ts` : `src/${target}`;
  return to === door ? undefined : `import it from ${door}, not from ${to}`;
}

const forbidden = importsOfSource().flatMap((one) => {
  const problem = problemWith(one);
  return problem === undefined ? [] : [`${one.from}:${one.line}: ${problem}`];
});
const unused = allowed.flatMap(({ place, imports }) =>
  imports
    .filter((target) => !used.has(`${place} ${target}`))
    .map((target) => `CONTRIBUTING.md: ${place} does not import ${target}; remove it from the table`),
);
for (const problem of [...forbidden, ...unused]) process.stderr.write(`${problem}\n`);
if (places.length === 0) throw new Error('CONTRIBUTING.md has no table of folders');
process.exitCode = forbidden.length + unused.length > 0 ? 1 : 0;
