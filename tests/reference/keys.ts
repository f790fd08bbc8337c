/** The keys of hashes that every generated problem is configured with. */
export const HASH_KEYS: ReadonlyMap<string, Buffer> = new Map([['pepper', Buffer.alloc(32, 'pepper')]]);
