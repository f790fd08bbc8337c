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

/**
 * Which places a path means that leads into the payload: any, those in the records, or those beside the parts that the roots are in,
 * unless it leads into one of these as well.
 */
type Meant = 'any' | 'in records' | 'elsewhere';

/** What is read of the payload. */
export interface PayloadRead {
  readonly attribute: Attribute;
  readonly meant: Meant;
}

/** Reads many attributes of a payload in one walk, so that it costs what is in the payload and not what is in the decision. */
export class PayloadReader {
  private readonly subject: Subject;
  private readonly known = {
    any: new Map<Attribute, readonly FoundValue[]>(),
    'in records': new Map<Attribute, readonly FoundValue[]>(),
    elsewhere: new Map<Attribute, readonly FoundValue[]>(),
  };

  constructor(subject: Subject) {
    this.subject = subject;
  }

  /** @param others all that is read of the payload, as far as is known; asked for if many attributes may be read at once */
  foundIn(read: PayloadRead, others: () => readonly PayloadRead[]): readonly FoundValue[] {
    const known = this.knownOf(read);
    if (known) return known;
    if (this.isWalkedFor(read)) this.readAll(others().filter((one) => this.isLeft(one)));
    return this.knownOf(read) ?? this.readOne(read);
  }

  private knownOf({ attribute, meant }: PayloadRead): readonly FoundValue[] | undefined {
    return this.known[meant].get(attribute);
  }

  private isLeft(read: PayloadRead): boolean {
    return this.knownOf(read) === undefined && this.isWalkedFor(read);
  }

  /** In small payloads, names are looked for alone. */
  private isWalkedFor({ attribute, meant }: PayloadRead): boolean {
    const { doc, payload } = this.subject;
    return !attribute.isOfNames || meant !== 'any' || after(doc, payload) - payload >= SMALL;
  }

  private readOne({ attribute, meant }: PayloadRead): readonly FoundValue[] {
    const found = this.foundByOne(attribute, meant);
    this.known[meant].set(attribute, found);
    return found;
  }

  private foundByOne(attribute: Attribute, meant: Meant): readonly FoundValue[] {
    const { doc, payload, roots, regions } = this.subject;
    if (meant === 'any') return attribute.foundIn(doc, payload);
    if (meant === 'elsewhere')
      return attribute.foundUnless(doc, payload, (match) => regions?.hold(match) === true);
    const insides = new RecordInsides(doc, roots);
    return attribute.foundWhere(doc, payload, (match) => insides.hold(match));
  }

  private readAll(reads: readonly PayloadRead[]): void {
    if (reads.length <= FEW) return;
    const { doc, payload, roots, regions } = this.subject;
    const insides = new RecordInsides(doc, roots);
    const found = reads.map((read) => ({ ...read, values: new Array<FoundValue>(), meansNothing: false }));
    for (const { attribute, meant, values } of found) this.known[meant].set(attribute, values);
    const { start } = new Automaton(reads.map(({ attribute }) => attribute.walked));
    visitMatches(doc, payload, start, 'last', (match, places) => {
      const isInside = insides.hold(match);
      const isElsewhere = regions?.hold(match) !== true;
      for (const place of places) {
        const one = found[place]!;
        if (one.meant === 'elsewhere' ? isElsewhere : isInside || one.meant === 'any')
          one.attribute.addTo(one.values, doc, match);
        else if (one.meant === 'elsewhere') one.meansNothing = true;
      }
    });
    for (const { values, meansNothing } of found) if (meansNothing) values.length = 0;
  }
}
