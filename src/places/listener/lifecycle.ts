import type { ServerResponse } from 'node:http';
import { Roster } from '../../enforcement/index.ts';
import { RETRY_SOON, ServiceError } from '../../errors.ts';

/**
 * The phases of the process: serving; leaving (it still serves, and asks clients to go elsewhere); draining (it only
 * finishes what it has begun).
 */
export class Lifecycle {
  private phase: 'serving' | 'leaving' | 'draining' = 'serving';
  private readonly hurrying = new AbortController();
  private readonly unanswered = new Roster<ServerResponse>();

  /** Whether nobody should send to the service any more. */
  get isLeaving(): boolean {
    return this.phase !== 'serving';
  }

  /** Whether the service finishes what it has begun and takes nothing new. */
  get isDraining(): boolean {
    return this.phase === 'draining';
  }

  /** @throws ServiceError `draining` if nobody should send to the service any more */
  refuseWhileLeaving(): void {
    if (this.isLeaving) throw shuttingDown({});
  }

  /** @throws ServiceError `draining` if the service finishes what it has begun and takes nothing new */
  refuseWhileDraining(): void {
    if (this.isDraining) throw shuttingDown({ Connection: 'close' });
  }

  /** Aborted when nobody wants to wait until callers have gone elsewhere. */
  get hurried(): AbortSignal {
    return this.hurrying.signal;
  }

  /** How many requests are not answered yet. */
  get underWay(): number {
    return this.unanswered.size;
  }

  /** Follows an answer, so that it can be the last one on its connection. */
  follow(response: ServerResponse): void {
    if (this.isLeaving) endsConnection(response);
    const at = this.unanswered.add(response);
    response.on('close', () => this.unanswered.delete(at));
  }

  /** Goes on serving. Every answer from now on ends its connection, so that callers come back to somebody else. */
  leave(): void {
    this.phase = 'leaving';
    for (const response of this.unanswered) endsConnection(response);
  }

  hurry(): void {
    this.hurrying.abort();
  }

  drain(): void {
    this.leave();
    this.phase = 'draining';
  }
}

function shuttingDown(headers: Readonly<Record<string, string>>): ServiceError {
  return new ServiceError('draining', 'The service is shutting down.', {
    headers: { ...RETRY_SOON, ...headers },
  });
}

function endsConnection(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}
