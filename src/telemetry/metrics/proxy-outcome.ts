import type { RequestOutcome } from './request-outcome.ts';

/** How an exchange through the reverse proxy ended. */
export interface ProxyOutcome extends RequestOutcome {
  /** What was done with the application's answer, or why the client got none. */
  readonly result: 'passed' | 'enforced' | 'streamed' | 'refused' | 'failed' | 'gone';
  /** Milliseconds until the application's answer was there, in the PDP, and in masking. */
  readonly times: {
    readonly upstream: number;
    readonly pdp: number;
    readonly masking: number;
  };
}
