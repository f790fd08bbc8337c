import { customer } from '../payloads/customer.ts';

/** The formats of streams of records. */
export const FORMATS = ['ndjson', 'json-seq', 'event-stream'] as const;
export type StreamFormat = (typeof FORMATS)[number];

const FRAMES: Readonly<Record<StreamFormat, (json: string) => string>> = {
  ndjson: (json) => `${json}\n`,
  'json-seq': (json) => `\u001e${json}\n`,
  'event-stream': (json) => `data: ${json}\n\n`,
};

export const STREAM_TYPES: Readonly<Record<StreamFormat, string>> = {
  ndjson: 'application/x-ndjson',
  'json-seq': 'application/json-seq',
  'event-stream': 'text/event-stream',
};

/** How many customers are sent at once. */
const BLOCK = 100;

/** The next customers of a stream, about 80 KB. */
export function blockOf(format: StreamFormat): Buffer {
  const records = Array.from({ length: BLOCK }, (_, index) => FRAMES[format](customer(index)));
  return Buffer.from(records.join(''));
}

export function isStreamFormat(name: string | undefined): name is StreamFormat {
  return FORMATS.some((format) => format === name);
}
