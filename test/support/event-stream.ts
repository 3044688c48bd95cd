import { eventually } from './eventually';

export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly id: string; readonly kind: string; readonly data: Record<string, unknown> };
}

/** A client of server-sent events, like a web page. */
export class EventStream {
  text = '';
  ended = false;
  private readonly abort = new AbortController();

  private constructor(
    readonly status: number,
    readonly headers: Headers,
  ) {}

  /** @param lastEventId the last event that the client has received */
  static async open(address: string, headers: Record<string, string>, lastEventId?: string): Promise<EventStream> {
    const abort = new AbortController();
    const response = await fetch(`${address}/api/v1/notifications/stream`, {
      headers: { ...headers, ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }) },
      signal: abort.signal,
    });
    const stream = new EventStream(response.status, response.headers);
    stream.abort.signal.addEventListener('abort', () => abort.abort());
    void stream.follow(response);
    return stream;
  }

  /** The notifications. */
  get events(): StreamEvent[] {
    return this.received.filter(({ event }) => event === 'notification');
  }

  /** The position that the stream told first. */
  async start(): Promise<string> {
    const first = await eventually(() => this.received[0], 'the first position');
    if (first.event !== 'connected') throw new Error(`The first event was ${first.event}.`);
    return first.id;
  }

  private get received(): StreamEvent[] {
    return this.text
      .split('\n\n')
      .slice(0, -1)
      .filter((block) => block.includes('data: '))
      .map((block) => {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
        return { id: field('id'), event: field('event'), data: JSON.parse(field('data')) as StreamEvent['data'] };
      });
  }

  /** Waits for this number of events. */
  async atLeast(count: number): Promise<StreamEvent[]> {
    return eventually(() => (this.events.length >= count ? this.events : undefined), `${count} events`);
  }

  async untilEnded(): Promise<void> {
    await eventually(() => this.ended || undefined, 'the stream to end');
  }

  close(): void {
    this.abort.abort();
  }

  private async follow(response: Response): Promise<void> {
    try {
      const decoder = new TextDecoder();
      for await (const chunk of response.body!) this.text += decoder.decode(chunk, { stream: true });
    } catch {
      // closed by this client, or broken
    }
    this.ended = true;
  }
}
