import { bracketed } from './bracketed.ts';
import { countCharacters, endOfCharacter } from './characters.ts';
import { scalarMask } from './scalar-mask.ts';

/** `email()` and `email(domain)`: an address with its local part masked. */
export const email = bracketed(
  'email',
  {
    forms: ['email()', 'email(domain)'],
    example: { action: 'email()', before: '"ann.lee@example.com"', after: '"a******@example.com"' },
    suits: 'Support, where a person recognizes an address that the customer names; statistics by provider.',
    reveals:
      'The domain, and with `email()` the first character and the length. At a small domain, often the person.',
  },
  (argument) => {
    if (argument === '') return scalarMask({ text: (text) => masked(text, firstOnly) });
    return argument.toLowerCase() === 'domain'
      ? scalarMask({ text: (text) => masked(text, () => '***') })
      : undefined;
  },
  '(?:domain)?',
);

function masked(text: string, maskLocal: (local: string) => string): string | undefined {
  const at = text.indexOf('@');
  const local = text.slice(0, Math.max(0, at));
  return isLocal(local) && isDomain(text.slice(at + 1)) ? maskLocal(local) + text.slice(at) : undefined;
}

// These patterns are made when they are used: that takes a millisecond, because of the classes of Unicode.

/** Whether an address may have this before its `@`: neither spaces nor what only quotes and comments may hold. */
function isLocal(text: string): boolean {
  return /^[^\s\p{C}@<>()[\]:;,"\\]+$/u.test(text);
}

/** Whether this is a host name, also one with letters of other scripts. */
function isDomain(text: string): boolean {
  return /^[\p{L}\p{N}\p{M}-]+(?:\.[\p{L}\p{N}\p{M}-]+)*$/u.test(text);
}

/** The first character and an asterisk for every other; a single one is masked as well. */
function firstOnly(local: string): string {
  const others = countCharacters(local) - 1;
  return others === 0 ? '*' : local.slice(0, endOfCharacter(local, 0)) + '*'.repeat(others);
}
