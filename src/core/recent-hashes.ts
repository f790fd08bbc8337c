/** Remembers which hashes were met lately, in constant memory: what comes once is then not worth keeping. */
export class RecentHashes {
  private readonly size: number;
  private slots: Int32Array | undefined;

  /** @param size how many are remembered at most: a power of two */
  constructor(size: number) {
    this.size = size;
  }

  /** Whether a hash of 32 bits was met before, as far as that is remembered; from now on it was. */
  meet(hash: number): boolean {
    this.slots ??= new Int32Array(this.size);
    const slot = hash & (this.size - 1);
    const wasMet = this.slots[slot] === (hash | 0);
    this.slots[slot] = hash;
    return wasMet;
  }
}
