import type { IncomingMessage } from 'node:http';
import { joined } from '../../../core/index.ts';

/**
 * Reads the body of a request. What comes beyond the bound is read on and dropped, so that whoever sends it gets an
 * answer instead of a broken connection.
 *
 * @param maxBytes the most that the body may have
 * @returns undefined where the body has more
 * @throws Error where the sender goes away before the end
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else resolve(undefined);
    });
    request.on('end', () => resolve(joined(chunks)));
    request.on('error', reject);
  });
}
