import { Injectable } from '@nestjs/common';

/** Who did something: the person, and the admin behind them while one impersonates. */
export interface ActorRef {
  readonly userId: string | null;
  readonly impersonatorId: string | null;
}

/** What something was done to. */
export interface Target {
  readonly type: string;
  readonly id: string;
}

/** Something that has just happened, told within the transaction in which it did. */
export abstract class DomainEvent {
  constructor(
    /** `noun.verbed`; stored in the audit log. */
    readonly action: string,
    readonly by: ActorRef,
    /** Null: it belongs to no tenant. */
    readonly tenantId: string | null,
    readonly target: Target,
    /** What else the audit log keeps of it. No secrets. */
    readonly data: Readonly<Record<string, unknown>> = {},
  ) {}
}

/**
 * Something that anybody can cause, as often as they like: the audit log counts it instead of
 * writing each. Told outside of a transaction.
 */
export abstract class AggregatedEvent extends DomainEvent {}

export type EventClass<E extends DomainEvent> = abstract new (...parameters: never[]) => E;
type Listen<E extends DomainEvent> = (events: E[]) => Promise<void>;

/**
 * Tells modules above what has happened in one below. A listener is awaited and works in the
 * teller's transaction: when it fails, nothing has happened. What may happen later is a job
 * instead.
 */
@Injectable()
export class DomainEvents {
  private readonly listeners: { type: EventClass<DomainEvent>; listen: Listen<DomainEvent> }[] = [];

  /** Has every event of a class, or of one derived from it, told to `listen`. */
  on<E extends DomainEvent>(type: EventClass<E>, listen: Listen<E>): void {
    this.listeners.push({ type, listen: listen as Listen<DomainEvent> });
  }

  /**
   * Tells listeners one after the other, because a transaction does one thing at a time; each hears
   * all of its events at once.
   */
  async publish(...events: DomainEvent[]): Promise<void> {
    for (const { type, listen } of this.listeners) {
      const heard = events.filter((event) => event instanceof type);
      if (heard.length > 0) await listen(heard);
    }
  }
}
