import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';

const PACKAGES = path.resolve('node_modules');

/** What the program takes of undici, which loads all of itself otherwise, with a browser's API. Its own `index.js` does the same. */
const UNDICI = `
  import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
  import request from 'undici/lib/api/api-request.js';
  export { default as Agent } from 'undici/lib/dispatcher/agent.js';
  export { default as Pool } from 'undici/lib/dispatcher/pool.js';
  export { default as buildConnector } from 'undici/lib/core/connect.js';
  export { default as errors } from 'undici/lib/core/errors.js';
  Dispatcher.prototype.request = request;
`;

/** The functions of lodash that a source calls, each by itself: to make all of lodash takes long. */
function lodashFor(importer: string): string {
  const calls = readFileSync(importer, 'utf8').matchAll(/\b(?:_|lodash)\.(?<name>[a-z]\w*)/giu);
  const names = [...new Set(Array.from(calls, ({ groups }) => groups?.['name'] ?? ''))].toSorted();
  const imports = names.map((name) => `import ${name} from 'lodash/${name}.js';`);
  return `${imports.join('\n')}\nexport default { ${names.join(', ')} };`;
}

/** Modules that stand for a package in one source, by its name. An import that they lack fails the build. */
const IN_PLACE: Readonly<Record<string, (importer: string) => string>> = {
  undici: () => UNDICI,
  lodash: lodashFor,
};

const NOTHING = (): string => '';
const NULL = (): string => 'export default null;';

/** What takes the place of files of packages that the program never calls, made of their text. */
const REPLACED: Readonly<Record<string, (source: string) => string>> = {
  // axios sends by undici (decision 18).
  'axios/lib/adapters/http.js': NULL,
  'axios/lib/adapters/fetch.js': () => 'export const getFetch = null;',
  'axios/lib/platform/node/classes/FormData.js': NULL,
  // To ask whether there is a FormData has Node.js load its `fetch`, and TLS with it.
  'axios/lib/utils.js': (source) => source.replaceAll('G.FormData', 'undefined'),
  // express reads no bodies.
  'body-parser/index.js': NOTHING,
  // It asks Node.js for its types by `process.binding`, which takes long to load.
  'lodash/_nodeUtil.js': () => `module.exports = require('node:util').types;`,
  // It loads what measures time when it is first asked, for which Node.js takes longer than for a short command.
  'lru-cache/dist/esm/node/index.min.js': (source) =>
    source.replace(/typeof performance.*?:Date(?=;)/u, '({now:()=>performance.now()})'),
  // Every pool has `allowH2: false`. It would load TLS.
  'undici/lib/dispatcher/client-h2.js': NOTHING,
};

/** Leaves out what the program never uses of large packages, so that it is neither loaded nor delivered. */
export const lean: Plugin = {
  name: 'lean',
  setup(build) {
    const names = new RegExp(`^(?:${Object.keys(IN_PLACE).join('|')})$`);
    build.onResolve({ filter: names }, ({ path: name, importer }) =>
      importer.startsWith(PACKAGES)
        ? undefined
        : {
            path: name,
            namespace: 'in-place',
            suffix: `?${path.relative('', importer)}`,
            pluginData: importer,
          },
    );
    build.onLoad({ filter: /./, namespace: 'in-place' }, ({ path: name, pluginData: importer }) => ({
      contents: IN_PLACE[name]?.(String(importer)) ?? '',
      resolveDir: path.dirname(PACKAGES),
    }));
    // `process` is global. To import it has each part copy its members one by one.
    build.onResolve({ filter: /^node:process$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'process', namespace: 'global' } : undefined,
    );
    build.onLoad({ filter: /^process$/, namespace: 'global' }, () => ({
      contents: 'export default process;',
    }));
    // Commander starts programs only for commands that are programs of their own.
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('/commander/') ? { path: 'none', namespace: 'none' } : undefined,
    );
    build.onLoad({ filter: /^none$/, namespace: 'none' }, () => ({ contents: 'export default {};' }));
    build.onLoad({ filter: /\.js$/ }, ({ path: file }) => {
      const replaced = REPLACED[path.relative(PACKAGES, file)];
      return replaced && { contents: replaced(readFileSync(file, 'utf8')) };
    });
  },
};
