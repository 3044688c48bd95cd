/**
 * The other tabs of this origin that share a name: one at a time does a work, and all hear of it.
 * Where there are none (Node), it is this client alone.
 */
export class Tabs<Message> {
  private readonly channel?: BroadcastChannel;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly name: string,
    listener: (message: Message) => void,
  ) {
    if (typeof window === 'undefined') return;
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => listener(data);
  }

  tell(message: Message): void {
    this.channel?.postMessage(message);
  }

  /**
   * Does works one after the other, over all tabs (Web Locks); a tab that is closed meanwhile lets
   * go. Browsers have locks with https and on localhost only: without them, as in Node, the works
   * of this client alone wait for each other.
   * @throws the signal's reason when it is aborted before its turn
   */
  alone<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const locks = typeof window === 'undefined' ? undefined : navigator.locks;
    if (locks) return locks.request(this.name, { signal }, work);
    const done = this.last.then(() => (signal?.throwIfAborted(), work()));
    this.last = done.catch(() => undefined);
    return done;
  }

  close(): void {
    this.channel?.close();
  }
}
