/** Messages between the tabs of an origin (BroadcastChannel). In Node it does nothing. */
export class CrossTabChannel<Message> {
  private readonly channel?: BroadcastChannel;

  /** @param listener called with the messages of other tabs, not with those of this one */
  constructor(name: string, listener: (message: Message) => void) {
    if (typeof window === 'undefined') return;
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => listener(data);
  }

  send(message: Message): void {
    this.channel?.postMessage(message);
  }

  close(): void {
    this.channel?.close();
  }
}
