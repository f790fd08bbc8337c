import { after, type JsonDocument, type Node } from '../json/document.ts';
import type { Attribute, FoundValue } from '../paths/attribute.ts';
import { Automaton } from '../paths/automaton.ts';
import { visitMatches } from '../paths/select.ts';
import type { State } from '../paths/state.ts';
import type { RecordView } from './record.ts';

/** So few attributes are read one by one. */
const FEW = 4;
/** In records of fewer words on the tape, names are looked for one by one. */
const SMALL = 256;

const NO_VALUES: readonly FoundValue[] = [];

/** What the attributes of one record are. */
export interface AttributesRead {
  readonly by: AttributeReader;
  readonly record: Node;
  /** How many attributes were read. */
  readonly count: number;
  /** By the place of the attribute. */
  readonly found: ReadonlyMap<number, readonly FoundValue[]>;
}

/** Reads many attributes of a record in one walk, so that it costs what is in the record and not what is in the decision. */
export class AttributeReader {
  private readonly attributes: Attribute[] = [];
  private readonly places = new Map<Attribute, number>();
  private start: State | undefined;
  /** How many attributes lead on from there. */
  private count = 0;

  add(attribute: Attribute): void {
    this.places.set(attribute, this.attributes.length);
    this.attributes.push(attribute);
  }

  /** Whether it pays to read an attribute with the others of a record. */
  reads({ isOfNames }: Attribute, { subject: { doc }, node }: RecordView): boolean {
    return this.attributes.length > FEW && (!isOfNames || after(doc, node) - node >= SMALL);
  }

  /** The values of an attribute of a record ({@link Attribute.foundIn}). */
  foundIn(attribute: Attribute, { subject, node }: RecordView): readonly FoundValue[] {
    const place = this.places.get(attribute) ?? -1;
    if (subject.attributesRead?.by !== this || subject.attributesRead.record !== node)
      subject.attributesRead = this.readAll(subject.doc, node);
    const { count, found } = subject.attributesRead;
    return place < count ? (found.get(place) ?? NO_VALUES) : attribute.foundIn(subject.doc, node);
  }

  private readAll(doc: JsonDocument, record: Node): AttributesRead {
    const { attributes } = this;
    // Attributes that came later are read one by one until they are as many again: plans may add them one at a time.
    if (this.start === undefined || this.count * 2 <= attributes.length) {
      this.start = new Automaton(attributes.map(({ walked }) => walked)).start;
      this.count = attributes.length;
    }
    const found = new Map<number, FoundValue[]>();
    visitMatches(doc, record, this.start, 'last', (match, places) => {
      for (let at = 0; at < places.length; at++) {
        const place = places[at]!;
        let values = found.get(place);
        if (values === undefined) found.set(place, (values = []));
        attributes[place]?.addTo(values, doc, match);
      }
    });
    return { by: this, record, count: this.count, found };
  }
}
