/** A mask of every kind, below a prefix and without one, for policy files. Everybody sees every record. */
export const MASKS = [
  { name: 'Denied', properties: ['ssn'], action: 'MASK', effect: 'denied' },
  {
    name: 'Conditional',
    properties: ['limit'],
    action: 'MASK',
    when: { attribute: 'vip', operator: 'EQUALS', type: 'BOOLEAN', values: [true] },
  },
  { name: 'Plain', properties: ['card'], action: 'last(4)' },
  { name: 'Below a prefix', object: 'address', properties: ['street'], action: 'MASK' },
  { name: 'Seen', action: 'FILTER', when: { attribute: 'id', operator: 'STARTS_WITH', values: ['c'] } },
];

const RECORD = { id: 'c1', limit: 12_500, card: '4111111111111111', ssn: '123-45-6789' };

/** Records that each mask applies to, and the conditional one to the first alone. */
const RECORDS = [
  { ...RECORD, vip: true, address: { street: 'Elm Street', city: 'Leeds' } },
  { ...RECORD, vip: false, address: { street: 'Oak Road', city: 'York' } },
];

/** A body of `POST /enforce` with the records. */
export const MASKS_REQUEST = { parameters: {}, vendor: { entityId: 'jane' }, json: RECORDS };

const MASKED = { ...RECORD, card: '************1111', ssn: '***' };

/** What the masks leave of the records. */
export const MASKED_RECORDS = [
  { ...MASKED, limit: null, vip: true, address: { street: '***', city: 'Leeds' } },
  { ...MASKED, vip: false, address: { street: '***', city: 'York' } },
];
