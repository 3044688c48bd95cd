import type { DeliveryChaos } from './delivery-faults';
import { toLegacyVersion } from './legacy-api-version';
import { postWebhook } from './webhook-request';
import type { EventRecord } from './records';
import { eventObject } from './api-objects';
import type { State } from './state';

interface Delivery {
  readonly event: EventRecord;
  /** The response to a copy or a forgery does not count. */
  readonly kind: 'event' | 'copy' | 'forgery';
}

const MAX_IN_FLIGHT = 8;
const MAX_TRIES = 10;
const MAX_PAUSE_MS = 30_000;

/**
 * Delivers events to the service: in order per customer, with retries after a failure, and with the
 * faults that the chaos settings ask for.
 */
export class WebhookDeliveries {
  private url?: string;
  private isRunning = false;
  private stopping = new AbortController();
  private queue: Delivery[] = [];
  /** Deliveries that wait for a time. */
  private readonly timers = new Map<Delivery, NodeJS.Timeout>();
  /** Deliveries that wait until a later event of the same customer has been delivered. */
  private readonly held = new Map<string, Delivery[]>();
  private readonly busyLanes = new Set<string>();
  private inFlight = 0;
  /** Number of running `drain` calls. While it is above 0, no delivery waits. */
  private hurrying = 0;
  private onDone: (() => void)[] = [];

  /** @param onForgeryAccepted called when the service accepts a wrong signature
   * @param onChange called when the state of an event has changed */
  constructor(
    private readonly state: State,
    private readonly chaos: DeliveryChaos,
    private readonly secret: string,
    private readonly onForgeryAccepted: (event: EventRecord, status: number) => void,
    private readonly onChange: () => void,
  ) {}

  get address(): string | undefined {
    return this.url;
  }

  deliverTo(url: string | undefined): void {
    this.url = url;
    this.startOver();
  }

  start(): void {
    this.isRunning = true;
    this.stopping = new AbortController();
    this.startOver();
  }

  /** Aborts running deliveries. They are delivered after the next start. */
  stop(): void {
    this.isRunning = false;
    this.stopping.abort();
    this.startOver();
  }

  /** A new event. */
  add(event: EventRecord): void {
    if (!this.canDeliver) return; // the event waits
    const { random } = this.state;
    if (random.happens(this.chaos.drop)) {
      event.delivery = 'dropped';
      return;
    }
    const delivery: Delivery = { event, kind: 'event' };
    if (random.happens(this.chaos.wrongSignature)) this.queue.push({ event, kind: 'forgery' });
    if (random.happens(this.chaos.reorder)) this.hold(delivery);
    else {
      if (random.happens(this.chaos.delay)) this.later(delivery, this.someDelay());
      else this.queue.push(delivery);
      this.releaseHeld(laneOf(event));
    }
    if (random.happens(this.chaos.duplicate)) this.later({ event, kind: 'copy' }, this.someDelay());
    setImmediate(() => this.pump()); // after the current change is complete, so that the service can read its result
  }

  /** Resolves when nothing is left to deliver. Delayed deliveries are sent at once. */
  async drain(): Promise<void> {
    this.hurrying += 1;
    try {
      while (this.canDeliver) {
        for (const [delivery, timer] of this.timers) {
          clearTimeout(timer);
          this.timers.delete(delivery);
          this.queue.push(delivery);
        }
        for (const lane of [...this.held.keys()]) this.releaseHeld(lane);
        this.pump();
        if (this.inFlight === 0) return;
        await new Promise<void>((resolve) => this.onDone.push(resolve));
      }
    } finally {
      this.hurrying -= 1;
    }
  }

  /** Delivers an event now, in whatever state it is. @returns the status of the response */
  async redeliver(event: EventRecord): Promise<number> {
    return this.send({ event, kind: 'event' });
  }

  private get canDeliver(): boolean {
    return this.isRunning && this.url !== undefined;
  }

  private startOver(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    this.held.clear();
    this.queue = [];
    if (!this.canDeliver) return;
    for (const event of this.state.events.all()) if (event.delivery === 'waiting') this.add(event);
  }

  private someDelay(): number {
    return this.state.random.next() * this.chaos.maxDelayMs;
  }

  private later(delivery: Delivery, ms: number): void {
    if (this.hurrying > 0) {
      this.queue.push(delivery);
      return;
    }
    const enqueue = () => {
      this.timers.delete(delivery);
      this.queue.push(delivery);
      this.pump();
    };
    this.timers.set(delivery, setTimeout(enqueue, ms).unref());
  }

  private hold(delivery: Delivery): void {
    if (this.hurrying > 0) {
      this.queue.push(delivery);
      return;
    }
    const lane = laneOf(delivery.event);
    this.held.set(lane, [...(this.held.get(lane) ?? []), delivery]);
    setTimeout(() => this.releaseHeld(lane), this.chaos.maxDelayMs).unref(); // in case there is no later event
  }

  private releaseHeld(lane: string): void {
    this.queue.push(...(this.held.get(lane) ?? []));
    this.held.delete(lane);
    setImmediate(() => this.pump());
  }

  private pump(): void {
    while (this.canDeliver && this.inFlight < MAX_IN_FLIGHT) {
      const index = this.queue.findIndex(({ event }) => !this.busyLanes.has(laneOf(event)));
      if (index === -1) return;
      const [delivery] = this.queue.splice(index, 1);
      const lane = laneOf(delivery.event);
      this.busyLanes.add(lane);
      this.inFlight += 1;
      void this.send(delivery).finally(() => {
        this.busyLanes.delete(lane);
        this.inFlight -= 1;
        this.pump();
        for (const resolve of this.onDone.splice(0)) resolve();
      });
    }
  }

  private async send({ event, kind }: Delivery): Promise<number> {
    const { stopping } = this;
    const object = { ...eventObject(event), pending_webhooks: 1 };
    const payload = JSON.stringify(this.chaos.apiVersion === 'old' ? toLegacyVersion(object) : object);
    const secret = kind === 'forgery' ? `${this.secret}_forged` : this.secret;
    const to = { url: this.url!, secret, header: 'Stripe-Signature', timestamp: this.state.wallSeconds() } as const;
    const { status } = await postWebhook(payload, to, stopping.signal);
    const isAccepted = status >= 200 && status < 300;
    if (kind === 'forgery' && isAccepted) this.onForgeryAccepted(event, status);
    // a delivery that `stop` aborted does not count as an attempt
    if (kind === 'event' && !(stopping.signal.aborted && !isAccepted)) this.note(event, status, isAccepted);
    return status;
  }

  private note(event: EventRecord, status: number, isAccepted: boolean): void {
    event.tries += 1;
    event.lastStatus = status;
    if (isAccepted) event.delivery = 'delivered';
    else if (event.delivery === 'waiting' && event.tries >= MAX_TRIES) event.delivery = 'failed';
    else if (event.delivery === 'waiting')
      this.later({ event, kind: 'event' }, Math.min(MAX_PAUSE_MS, 500 * 2 ** (event.tries - 1)));
    this.onChange();
  }
}

/** Events of the same lane are delivered one after the other. */
function laneOf({ customerId, id }: EventRecord): string {
  return customerId ?? id;
}
