/** The other tabs of this origin that share a name: one at a time does a work, and all hear of it. Where there are none (Node), this is nobody. */
export class Tabs<Message> {
  private readonly channel?: BroadcastChannel;

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

  /** Does the work while no other tab does (Web Locks); a tab that is closed meanwhile lets go. @throws the signal's reason when it is aborted before its turn */
  async alone<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const locks = typeof window === 'undefined' ? undefined : navigator.locks;
    return locks ? await locks.request(this.name, { signal }, work) : work(); // without https there are no locks; each tab then is on its own
  }

  close(): void {
    this.channel?.close();
  }
}
