import { EventEmitter, once } from 'node:events';
import * as z from 'zod';

const entrySchema = z.object({
  level: z.string(),
  message: z.string(),
  requestId: z.string().optional(),
});

/** An entry of the service's log. */
export type LogEntry = z.infer<typeof entrySchema>;

const END_OF_REQUEST = 'Request';

/** Collects the entries of the service's log by the request that they belong to. */
export class RequestLog {
  private readonly entries = new Map<string, LogEntry[]>();
  private readonly completed = new EventEmitter();

  /** Takes one line of the log. */
  add(line: string): void {
    const entry = entrySchema.parse(JSON.parse(line));
    const { requestId } = entry;
    if (requestId === undefined) return;
    this.entries.set(requestId, [...this.of(requestId), entry]);
    if (entry.message === END_OF_REQUEST) this.completed.emit(requestId);
  }

  /**
   * The entries of a request, once all of them are there.
   *
   * @throws the signal's reason where they do not come
   */
  async complete(requestId: string, signal: AbortSignal): Promise<readonly LogEntry[]> {
    const isComplete = this.of(requestId).some(({ message }) => message === END_OF_REQUEST);
    if (!isComplete) await once(this.completed, requestId, { signal });
    return this.of(requestId);
  }

  private of(requestId: string): readonly LogEntry[] {
    return this.entries.get(requestId) ?? [];
  }
}
