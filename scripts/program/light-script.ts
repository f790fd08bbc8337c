/** How esbuild fills an object with what a script exports, copies it into another, and repeats the names for Node.js. */
const EXPORTS = /^var (?<object>\w+_exports) = \{\};\n(?=__export\(\k<object>,)/mu;
const COPIED = /^module\.exports = __toCommonJS\(\w+_exports\);\n/mu;
const REPEATED = /^\/\/ Annotate the CommonJS export names[^\n]*\n0 && \(module\.exports = \{[^}]*\}\);\n/mu;
/** How it copies a module of Node.js for the `default` of an import. */
const MODULE = /^var (?<name>import_\w+) = __toESM\(require\("(?<module>node:[\w/]+)"\)\);$/gmu;

/**
 * A script that does the same without what only other loaders need: it fills the exports that it is given, and a module of Node.js
 * of which it uses the `default` alone is not copied, member by member.
 */
export function lightened(script: string): string {
  return script
    .replace(EXPORTS, 'var $<object> = exports;\n')
    .replace(COPIED, '')
    .replace(REPEATED, '')
    .replaceAll(MODULE, (statement, name: string, module: string) =>
      usesDefaultAlone(script, name) ? `var ${name} = { default: require("${module}") };` : statement,
    );
}

function usesDefaultAlone(script: string, name: string): boolean {
  const uses = script.matchAll(new RegExp(`\\b${name}\\b(?<rest>\\.\\w+)?`, 'gu'));
  return [...uses].slice(1).every(({ groups }) => groups?.['rest'] === '.default');
}
