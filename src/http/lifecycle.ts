/** Where the process is in its life. */
export class Lifecycle {
  private draining = false;

  /** Whether the service is shutting down: it finishes what it has begun and takes nothing new. */
  get isDraining(): boolean {
    return this.draining;
  }

  drain(): void {
    this.draining = true;
  }
}
