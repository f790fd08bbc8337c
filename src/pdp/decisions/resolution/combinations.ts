import { notUnderstood, type JsonPointer } from '../not-understood.ts';

/** As many may be made whatever the answer has. */
const FREE = 20_000;
/** As many more for each part that they are made of: what an answer costs must go with its size. */
const PER_PART = 16;

/**
 * Counts what a decision makes of two lists by combining each part of one with each of the other: properties below prefixes, and
 * actions of properties, and policies of actions; or columns of a table with its name. A few kilobytes could ask for millions.
 */
export class Combinations {
  private parts = 0;
  private made = 0;

  /**
   * Counts combinations, before they are made.
   *
   * @param made how many they are
   * @param parts how many parts of the answer they are made of that were not counted yet
   * @param what they are
   * @param place of the entry
   * @throws ServiceError `decision-not-understood` if they are too many
   */
  count(made: number, parts: number, what: string, place: JsonPointer): void {
    const most = FREE + PER_PART * (this.parts + parts);
    // What is refused is read once more, with its place, and is not counted twice.
    if (this.made + made > most) throw notUnderstood(`more than ${most} ${what}`, place);
    this.parts += parts;
    this.made += made;
  }
}
