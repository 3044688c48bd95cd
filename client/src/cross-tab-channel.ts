import { randomKey } from './random-key.js';

/** No browser takes this long to pass a message on, unless it suspends the tab. */
const DELIVERY_TIMEOUT_MS = 1000;

/** Messages between the tabs of an origin (BroadcastChannel). In Node it does nothing. */
export class CrossTabChannel<Message extends object> {
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

  /**
   * Sends a message and waits until the browser has passed it on. A lock that is released earlier
   * can be granted to another tab before the message arrives there.
   */
  async deliver(message: Message): Promise<void> {
    if (!this.channel) return;
    const delivery = randomKey();
    const echo = new BroadcastChannel(this.channel.name);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const delivered = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DELIVERY_TIMEOUT_MS);
      echo.onmessage = ({ data }: MessageEvent<{ delivery?: string }>) => {
        if (data.delivery === delivery) resolve();
      };
    });
    this.channel.postMessage({ ...message, delivery });
    await delivered;
    clearTimeout(timer);
    echo.close();
  }

  close(): void {
    this.channel?.close();
  }
}
