import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { closeAll } from '../../pdp/transport/setup.ts';
import { describeEnvoy } from './envoy.ts';
import { answersByHttp2 } from './http2-client.ts';
import { startChain } from './setup.ts';

afterEach(closeAll);

const SECRET = '123-45-6789';
const RUNS = Number(process.env['RUNS'] ?? 20);

/** Keys of the filter, as an operator may set them in any combination. */
const filters = fc
  .record({
    body: fc.constantFrom(
      'BUFFERED',
      'BUFFERED',
      'FULL_DUPLEX_STREAMED',
      'STREAMED',
      'BUFFERED_PARTIAL',
      'NONE',
    ),
    ofRequest: fc.constantFrom('NONE', 'BUFFERED', 'STREAMED', 'FULL_DUPLEX_STREAMED'),
    headers: fc.constantFrom('DEFAULT', 'SEND'),
    trailers: fc.constantFrom('DEFAULT', 'SKIP', 'SEND'),
    allow_mode_override: fc.boolean(),
    send_body_without_waiting_for_header_response: fc.boolean(),
    disable_clear_route_cache: fc.boolean(),
    allow_content_length_header: fc.boolean(),
  })
  .map(({ body, ofRequest, headers, trailers, ...keys }) => {
    // Envoy starts with nothing else.
    const needsTrailers = body === 'FULL_DUPLEX_STREAMED';
    const isDuplexRequest = ofRequest === 'FULL_DUPLEX_STREAMED';
    return {
      mode: {
        response_body_mode: body,
        request_body_mode: ofRequest,
        response_header_mode: headers,
        response_trailer_mode: needsTrailers ? 'SEND' : trailers,
        ...(isDuplexRequest && { request_trailer_mode: 'SEND' }),
      },
      keys,
    };
  });

/** What an application answers, by path. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/json': (response) => void response.writeHead(200, JSON_TYPE).end(`[{"ssn":"${SECRET}"}]`),
  '/late': (response) => {
    response.writeHead(200, JSON_TYPE).flushHeaders();
    setTimeout(() => response.end(`[{"ssn":"${SECRET}"}]`), 50);
  },
  '/trailers': withTrailers(`[{"ssn":"${SECRET}"}]`),
  '/lax/empty': withTrailers(''),
  '/empty': withTrailers(''),
  '/lax/text': (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('hello'),
};
const JSON_TYPE = { 'content-type': 'application/json' };

function withTrailers(body: string): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(200, { ...JSON_TYPE, trailer: 'x-ssn' });
    if (body !== '') response.write(body);
    response.addTrailers({ 'x-ssn': SECRET });
    response.end();
  };
}

describeEnvoy('With a real Envoy', () => {
  test('whatever the keys of the filter are, nothing leaves unmasked', async () => {
    let masked = 0;
    let refused = 0;
    const property = fc.asyncProperty(filters, async ({ mode, keys }) => {
      const { envoy } = await startChain({
        mode,
        filter: keys,
        written: { routes: [{ path: '/lax/**', nonJson: 'pass' }] },
        answer: (response, { url = '' }) => ANSWERS[url]?.(response),
      });
      // Nobody can tell the service that trailers do not reach it (docs/envoy.md).
      const keepsTrailers =
        mode.response_body_mode === 'BUFFERED' &&
        mode.response_trailer_mode !== 'SEND' &&
        !keys.allow_mode_override;
      const paths = Object.keys(ANSWERS).filter((path) => !keepsTrailers || !/trailers|empty/u.test(path));
      const texts = await answersByHttp2(envoy.port, paths);
      await closeAll();
      masked += texts.filter((text) => text.includes('***')).length;
      refused += texts.filter((text) => text.includes('":status":502')).length;
      expect(texts.filter((text) => text.includes(SECRET))).toEqual([]);
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    expect(masked).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });
});
