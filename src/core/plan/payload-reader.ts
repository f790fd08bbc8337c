import { after } from '../json/document.ts';
import type { Attribute, FoundValue } from '../paths/attribute.ts';
import { Automaton } from '../paths/automaton.ts';
import { visitMatches } from '../paths/select.ts';
import { RecordInsides } from './record-insides.ts';
import type { Subject } from './record.ts';

/** So few attributes are read one by one. */
const FEW = 4;
/** In payloads of fewer words on the tape, names are looked for one by one. */
const SMALL = 256;

/** What is read of the payload. */
export interface PayloadRead {
  readonly attribute: Attribute;
  /** Whether only what is in the records is meant. */
  readonly isOfRecords: boolean;
}

/** Reads many attributes of a payload in one walk, so that it costs what is in the payload and not what is in the decision. */
export class PayloadReader {
  private readonly subject: Subject;
  private readonly known = new Map<Attribute, readonly FoundValue[]>();

  constructor(subject: Subject) {
    this.subject = subject;
  }

  /** @param others all that is read of the payload, as far as is known; asked for if many attributes may be read at once */
  foundIn(read: PayloadRead, others: () => readonly PayloadRead[]): readonly FoundValue[] {
    const known = this.known.get(read.attribute);
    if (known) return known;
    if (this.isWalkedFor(read)) this.readAll(others().filter((one) => this.isLeft(one)));
    const found = this.known.get(read.attribute) ?? this.foundByOne(read);
    this.known.set(read.attribute, found);
    return found;
  }

  private isLeft(read: PayloadRead): boolean {
    return !this.known.has(read.attribute) && this.isWalkedFor(read);
  }

  /** In small payloads, names are looked for alone. */
  private isWalkedFor({ attribute, isOfRecords }: PayloadRead): boolean {
    const { doc, payload } = this.subject;
    return !attribute.isOfNames || isOfRecords || after(doc, payload) - payload >= SMALL;
  }

  private foundByOne({ attribute, isOfRecords }: PayloadRead): readonly FoundValue[] {
    const { doc, payload } = this.subject;
    if (!isOfRecords) return attribute.foundIn(doc, payload);
    const insides = this.insides();
    return attribute.foundWhere(doc, payload, (match) => insides.hold(match));
  }

  private readAll(reads: readonly PayloadRead[]): void {
    if (reads.length <= FEW) return;
    const { doc, payload } = this.subject;
    const insides = this.insides();
    const found = reads.map((read) => ({ ...read, values: new Array<FoundValue>() }));
    for (const { attribute, values } of found) this.known.set(attribute, values);
    const { start } = new Automaton(reads.map(({ attribute }) => attribute.walked));
    visitMatches(doc, payload, start, 'last', (match, places) => {
      const isInside = insides.hold(match);
      for (const place of places) {
        const { attribute, isOfRecords, values } = found[place]!;
        if (isInside || !isOfRecords) attribute.addTo(values, doc, match);
      }
    });
  }

  private insides(): RecordInsides {
    const { doc, roots } = this.subject;
    return new RecordInsides(doc, roots);
  }
}
