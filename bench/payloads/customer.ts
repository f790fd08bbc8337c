/** How the numbers of a customer are written. */
export interface Spelling {
  readonly id: (index: number) => string;
  readonly amount: (index: number) => string;
}

/** As `JSON.stringify` writes them. */
const PLAIN: Spelling = {
  id: (index) => String(100_000 + index),
  amount: (index) => String(1000 + (index % 900)),
};

/** As databases write them, and as a round trip through JavaScript's numbers loses them. */
export const EXACT: Spelling = {
  id: (index) => String(9_007_199_254_740_993n + BigInt(index) * 2n),
  amount: (index) => `${10 + (index % 900)}.50`,
};

/** One customer record, about 730 bytes of ASCII: strings in one byte a character are what the round trip is fastest at. */
export function customer(index: number, { id, amount }: Spelling = PLAIN): string {
  const number = String(index).padStart(7, '0');
  return (
    `{"id":${id(index)},"status":"${STATUSES[index % 4] ?? ''}","segment":"retail","region":"${REGIONS[index % 2] ?? ''}",` +
    `"ssn":"078-05-${number.slice(-4)}","email":"ann.lee.${index}@example.com","phone":"+1 202 ${number}",` +
    `"address":{"street":"${index} Main Street","city":"Springfield","zip":"94107","country":"US"},` +
    `"firstName":"Ann","lastName":"Lee ${index}","fullName":"Ann Lee ${index}","mobile":"+1 303 ${number}",` +
    `"birthDate":"1980-0${1 + (index % 9)}-15","passport":"C${number}","iban":"DE4450010517${number}000",` +
    `"card":"411111111${number}","income":${amount(index)},"consent":${index % 3 > 0},"since":"2019-03-04T10:11:12Z",` +
    `"employer":{"name":"Example Works ${index % 50}","phone":"+1 404 ${number}"},"notes":"prefers calls after 5 pm",` +
    `"accounts":[{"iban":"DE5550010517${number}001","currency":"EUR","balance":${amount(index + 1)}},` +
    `{"iban":"DE6650010517${number}002","currency":"USD","balance":${amount(index + 2)}}]}`
  );
}

const STATUSES = ['active', 'dormant', 'closed', 'blocked'];
const REGIONS = ['north', 'south'];
