const NAME = /^[\w$.-]*/u;
const SECRET = /^.*?(?:secret|password|passphrase)/iu;

/**
 * An unknown key as it may be shown. What follows the name of a secret can be the secret itself, as in
 * `clientSecret:hunter2`, where a space is missing. So the key is shown up to the first character that names do not have,
 * and no further than the name of a secret.
 */
export function shownKey(key: string): string {
  const [name] = NAME.exec(key) ?? [''];
  const shown = SECRET.exec(name)?.[0] ?? name;
  return shown === key ? key : `${shown}…`;
}
