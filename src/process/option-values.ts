import { InvalidArgumentError } from 'commander';

/** Reads the value of an option that is the SHA-256 of a file. */
export function sha256(text: string): string {
  if (!/^[0-9a-f]{64}$/u.test(text))
    throw new InvalidArgumentError('It has to be 64 hexadecimal digits, in lower case.');
  return text;
}

/** Reads the value of an option that is a whole number from 0 up to another. */
export function wholeNumberUpTo(most: number): (text: string) => number {
  return (text) => {
    if (!/^\d+$/u.test(text) || Number(text) > most)
      throw new InvalidArgumentError(`It has to be a whole number from 0 to ${most}.`);
    return Number(text);
  };
}
