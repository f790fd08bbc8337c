import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One file of `src/` imports another. Paths begin at the root of the project. */
export interface Import {
  readonly from: string;
  /** Counted from 1. */
  readonly line: number;
  readonly to: string;
}

/** Prettier writes every specifier in single quotes. */
const SPECIFIER = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/gu;

/** Every import of one file of `src/` by another, those of types included. */
export function importsOfSource(): readonly Import[] {
  return globSync('src/**/*.ts').flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return Array.from(text.matchAll(SPECIFIER), ({ index, 1: specifier = '' }) => ({
      from: file,
      line: text.slice(0, index).split('\n').length,
      to: path.join(path.dirname(file), specifier),
    }));
  });
}
