import _ from 'lodash';
import { Comparison } from '../conditions/comparison.ts';
import type { Leaf } from '../conditions/condition.ts';
import type { Beginning } from './match.ts';
import type { Speller, Spelling } from './text-match.ts';

/** It is sure if the comparison holds whatever follows. */
interface ComparedSpelling extends Spelling {
  readonly text: string;
  /** What it is compared with. */
  readonly comparison: Comparison;
  readonly isSure: boolean;
  /** How many names and elements are written, as far as that matters: none, one that is empty, or text. */
  readonly size: 0 | 1 | 2;
}

/** Spells paths as far as it matters for the values of a leaf. */
export class TextSpeller implements Speller<ComparedSpelling> {
  private readonly comparison: Comparison;
  /** The same with those values that begin with `json`: nothing else is compared with a path that does. */
  private readonly ofJson: Comparison | undefined;

  /** @param isJsonNamed whether `json` names the payload */
  constructor({ comparison, values }: Leaf, isJsonNamed: boolean) {
    const { operator, type } = comparison;
    const ofJson = isJsonNamed ? values.filter((value) => value.startsWith('json')) : [];
    this.comparison = comparison;
    if (ofJson.length > 0)
      this.ofJson =
        ofJson.length === values.length ? comparison : new Comparison(operator, type, ofJson, false);
  }

  start(at: Beginning): readonly ComparedSpelling[] {
    const spellings = [this.spelling('', 0, this.comparison)];
    if (at === 'payload' && this.ofJson) spellings.push(this.spelling('json', 2, this.ofJson));
    return _.compact(spellings);
  }

  found({ text, comparison, size, isSure }: ComparedSpelling): readonly number[] {
    return size === 2 && (isSure || comparison.fits(text)) ? LEAF : NONE;
  }

  /** @returns undefined if the comparison holds for nothing that begins so */
  appended(
    { text, comparison, size, isSure }: ComparedSpelling,
    piece: string,
  ): ComparedSpelling | undefined {
    const longer = size === 0 && piece === '' ? 1 : 2;
    if (isSure) return this.sureSpelling(longer, comparison);
    return this.spelling(size === 0 ? text + piece : `${text}.${piece}`, longer, comparison);
  }

  /** @returns undefined if the comparison holds for nothing that begins so */
  private spelling(
    text: string,
    size: ComparedSpelling['size'],
    comparison: Comparison,
  ): ComparedSpelling | undefined {
    const beginning = comparison.beginningOf(text);
    if (typeof beginning === 'boolean') return beginning ? this.sureSpelling(size, comparison) : undefined;
    const key = beginning === '' ? EMPTY[size] : size + JSON.stringify(beginning);
    return { key: this.keyFor(key, comparison), text: beginning, comparison, isSure: false, size };
  }

  private sureSpelling(size: ComparedSpelling['size'], comparison: Comparison): ComparedSpelling {
    return { key: this.keyFor(`${size}`, comparison), text: '', comparison, isSure: true, size };
  }

  private keyFor(key: string, comparison: Comparison): string {
    return comparison === this.comparison ? key : `json${key}`;
  }
}

/** The values of a leaf count as one. */
const LEAF: readonly number[] = [0];
const NONE: readonly number[] = [];
const EMPTY = ['0""', '1""', '2""'] as const;
