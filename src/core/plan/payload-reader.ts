import { after, type Node } from '../json/document.ts';
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

/** What a path finds elsewhere that also leads into a part that roots are in: nothing. */
export const LEADS_INSIDE: readonly FoundValue[] = [];

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

  private readOne(read: PayloadRead): readonly FoundValue[] {
    const { doc, payload } = this.subject;
    const { attribute, meant } = read;
    // Names that lead to one value need no walk.
    const found = meant === 'any' ? attribute.foundIn(doc, payload) : this.foundAlone(read);
    this.known[meant].set(attribute, found);
    return found;
  }

  private foundAlone(read: PayloadRead): readonly FoundValue[] {
    const finding = new Finding(read, this.subject, this.insides());
    const { doc, payload } = this.subject;
    read.attribute.visit(doc, payload, (match) => finding.meet(match));
    return finding.values;
  }

  private readAll(reads: readonly PayloadRead[]): void {
    if (reads.length <= FEW) return;
    const { doc, payload } = this.subject;
    const insides = this.insides();
    const findings = reads.map((read) => new Finding(read, this.subject, insides));
    const { start } = new Automaton(reads.map(({ attribute }) => attribute.walked));
    visitMatches(doc, payload, start, 'last', (match, places) => {
      for (const place of places) findings[place]!.meet(match);
    });
    for (const { read, values } of findings) this.known[read.meant].set(read.attribute, values);
  }

  private insides(): RecordInsides {
    const { doc, roots } = this.subject;
    return new RecordInsides(doc, roots);
  }
}

/** What one path finds on a walk through the payload. */
class Finding {
  readonly read: PayloadRead;
  private readonly subject: Subject;
  private readonly insides: RecordInsides;
  private readonly found: FoundValue[] = [];
  private leadsInside = false;

  constructor(read: PayloadRead, subject: Subject, insides: RecordInsides) {
    this.read = read;
    this.subject = subject;
    this.insides = insides;
  }

  get values(): readonly FoundValue[] {
    return this.leadsInside ? LEADS_INSIDE : this.found;
  }

  /** The path leads to a value. Values are met in the order of the text. */
  meet(match: Node): void {
    if (this.isMeant(match)) this.read.attribute.addTo(this.found, this.subject.doc, match);
  }

  private isMeant(match: Node): boolean {
    const { meant } = this.read;
    if (meant === 'elsewhere') this.leadsInside ||= this.subject.regions?.hold(match) === true;
    return meant === 'in records' ? this.insides.hold(match) : !this.leadsInside;
  }
}
