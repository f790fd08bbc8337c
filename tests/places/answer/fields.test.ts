import { expect, test } from '@jest/globals';
import { changesOfAnswer, enforcedFields } from '../../../src/places/answer/index.ts';

/** The names of the fields that an enforced answer keeps of the application's. */
function kept(...names: readonly string[]): readonly string[] {
  const fields = enforcedFields(
    names.map((name) => [name, 'x'] as const),
    [],
  );
  return fields.map(([name]) => name).filter((name) => names.includes(name));
}

const OF_THE_BODY = [
  'Unencoded-Digest',
  'X-Content-MD5',
  'X-Ms-Blob-Content-MD5',
  'x-ms-content-crc64',
  'x-goog-hash',
  'x-goog-stored-content-length',
  'X-Original-Content-Length',
  'x-amz-checksum-crc32c',
  'x-amz-checksum-crc64nvme',
  'x-amz-checksum-sha256',
  'X-Checksum-Sha1',
  'X-Checksum',
  'OC-Checksum',
  'OC-ETag',
  'X-Linked-ETag',
  'x_etag',
  'content_md5',
  'X-SHA-256',
  'Delta-Base',
];

test.each(OF_THE_BODY)(
  'an enforced answer does not keep %s, by which masked values could be tried out',
  (name) => {
    expect(kept(name, 'X-Own')).toEqual(['X-Own']);
    expect(changesOfAnswer([[name, 'x']], []).remove).toEqual([name.toLowerCase()]);
  },
);

test.each([
  'X-Hashtag',
  'X-Stage-Tag',
  'X-Metag',
  'X-Digestible',
  'Content-Language',
  'X-Shard',
  'Content-Disposition',
  'X-Content-Lengthy',
])('an enforced answer keeps %s', (name) => {
  expect(kept(name)).toEqual([name]);
});
