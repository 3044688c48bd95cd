/** A response that is delayed after its work is done, as on a slow network. */
export class DelayedResponse {
  private markReady!: () => void;
  private markReleased!: () => void;
  /** Resolves when the work is done. */
  readonly ready = new Promise<void>((resolve) => (this.markReady = resolve));
  private readonly released = new Promise<void>((resolve) => (this.markReleased = resolve));

  /** @param route such as `GET /v1/subscriptions` */
  constructor(readonly route: string) {}

  /** Sends it. */
  release(): void {
    this.markReleased();
  }

  /** The work is done. Resolves when it may be sent. */
  wait(): Promise<void> {
    this.markReady();
    return this.released;
  }
}
