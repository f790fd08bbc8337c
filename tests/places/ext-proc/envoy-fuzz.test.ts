import { afterAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call } from '../../support/caller.ts';
import { BUFFERED, FULL_DUPLEX } from '../../../scripts/tools/envoy-configuration.ts';
import { answerOddly, faultOf, oddExchanges, oddRequest, type OddExchange } from '../answer/odd-answers.ts';
import { describeEnvoy } from './envoy.ts';
import { startChain } from './setup.ts';

afterAll(closeAll);

describeEnvoy('With a real Envoy', () => {
  test.each([
    ['BUFFERED', BUFFERED],
    ['FULL_DUPLEX_STREAMED', FULL_DUPLEX],
  ])('in mode %s, any answer is masked as /enforce would mask it, or is an error', async (_name, mode) => {
    let odd: OddExchange;
    let masked = 0;
    const { envoy, port } = await startChain({ mode, answer: (response) => answerOddly(response, odd) });
    await fc.assert(
      fc.asyncProperty(oddExchanges, async (given) => {
        odd = given;
        const answer = await call(envoy.port, oddRequest(given)).catch(() => undefined);
        expect(await faultOf(given, answer, port)).toBeUndefined();
        if (answer?.text.includes('***') === true) masked++;
      }),
      { numRuns: 100 },
    );
    expect(masked).toBeGreaterThan(5);
  });
});
