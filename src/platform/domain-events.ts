import { Injectable } from '@nestjs/common';

/**
 * Who did something: the user, the admin who impersonates them, if any, and the principal of the
 * request; without one it is the user, or the system.
 */
export interface ActorRef {
  readonly userId: string | null;
  readonly impersonatorId: string | null;
  readonly principal?: { readonly kind: 'person' | 'service' | 'token'; readonly id: string };
}

/** The actor of an event that the service or an unauthenticated caller causes. */
export const NO_ACTOR: ActorRef = { userId: null, impersonatorId: null };

/** The object of an event, as the audit log names it. */
export interface Target {
  readonly type: string;
  readonly id: string;
}

/**
 * Something that has happened, published in the transaction in which it happened. Each class that
 * is published declares its action, `noun.verbed`: `static readonly action = 'project.created'`.
 */
export abstract class DomainEvent {
  constructor(
    readonly by: ActorRef,
    /** Null when the event belongs to no tenant. */
    readonly tenantId: string | null,
    readonly target: Target,
    /** Details that the audit log keeps. No secrets. */
    readonly data: Readonly<Record<string, unknown>> = {},
  ) {}

  /** What the audit log stores as the action. */
  get action(): string {
    return (this.constructor as unknown as { readonly action: string }).action;
  }
}

/**
 * An event that anyone can cause any number of times. The audit log counts such events instead of
 * writing each one. Published outside of a transaction.
 */
export abstract class AggregatedEvent extends DomainEvent {
  /** Whether the first one of a person in a window is written at once; others are counted. */
  get isFirstWritten(): boolean {
    return false;
  }
}

/** An event that the audit log does not record, because it records the event that caused it. */
export abstract class UnrecordedEvent extends DomainEvent {}

export type EventClass<E extends DomainEvent> = abstract new (...parameters: never[]) => E;
type Listen<E extends DomainEvent> = (events: E[]) => Promise<void>;

/** A listener to the events of a class and its subclasses. */
interface Listener {
  readonly type: EventClass<DomainEvent>;
  readonly listen: Listen<DomainEvent>;
}

/**
 * Delivers events to listeners in the same transaction. Publishing awaits each listener; when one
 * fails, the transaction rolls back. Work that can happen later is a job instead.
 */
@Injectable()
export class DomainEvents {
  /** In the order in which they were added. */
  private readonly listeners: Listener[] = [];
  /** Those of each published class: of a hundred listeners, few are concerned by an event. */
  private readonly concerned = new Map<unknown, readonly Listener[]>();

  /** Calls `listen` for every event of this class and its subclasses. */
  on<E extends DomainEvent>(type: EventClass<E>, listen: Listen<E>): void {
    this.listeners.push({ type, listen: listen as Listen<DomainEvent> });
    this.concerned.clear();
  }

  /**
   * Calls the listeners one after the other, because a transaction runs one statement at a time.
   * Each listener gets all of its events in one call.
   */
  async publish(...events: DomainEvent[]): Promise<void> {
    for (const { type, listen } of this.listenersOf(events)) {
      await listen(events.filter((event) => event instanceof type));
    }
  }

  private listenersOf(events: readonly DomainEvent[]): readonly Listener[] {
    const lists = [...new Set(events.map((event) => this.concernedBy(event)))];
    return lists.length === 1 ? lists[0] : this.listeners.filter((one) => lists.some((list) => list.includes(one)));
  }

  private concernedBy(event: DomainEvent): readonly Listener[] {
    let listeners = this.concerned.get(event.constructor);
    if (!listeners) {
      listeners = this.listeners.filter(({ type }) => event instanceof type);
      this.concerned.set(event.constructor, listeners);
    }
    return listeners;
  }
}
