/** YAML files with their lines: reading, problems, and the reference of keys. */
export { keyReferences, type KeyReference } from './key-reference.ts';
export { hostKey, portKey } from './listener-keys.ts';
export { UNREADABLE, readYaml, type YamlFile } from './map.ts';
export { keyOf, type YamlPath } from './place.ts';
export {
  ConfigurationError,
  configurationError,
  sentencesOf,
  shownKey,
  UnreadableError,
  unreadableError,
  type Problem,
} from './problem.ts';
export { readSource, type Source } from './source.ts';
