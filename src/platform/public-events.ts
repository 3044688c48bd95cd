import type { AnyClass } from './any-class';
import type { DomainEvent, EventClass } from './domain-events';
import type { Permission } from './permissions';
import { exportsOfFiles } from './source-classes';

/** How a domain event becomes a public one. */
interface Declaration<E extends DomainEvent, D extends object> {
  readonly summary: string;
  readonly from: EventClass<E>;
  /** Whether an event leads to a public one; every one without it. */
  readonly when?: (event: E) => boolean;
  /** The class that describes the data, for the API document. */
  readonly schema: new () => D;
  /** Without it, a member cannot let a receiver get the data. */
  readonly permission: Permission;
  /** A full snapshot of what has changed. Receivers of tenants get it as JSON: no secrets. */
  readonly data: (event: E) => D;
}

/** A type of messages that receivers get, as the API document describes it. */
export interface MessageType {
  /** It never changes. */
  readonly type: string;
  readonly summary: string;
  readonly schema: AnyClass;
}

/** A type of the catalogue of public events, `noun.verbed`. */
export interface PublicEvent extends MessageType, Omit<Declaration<DomainEvent, object>, 'schema'> {}

/**
 * Declares a type of public events (docs/decisions/0056-public-events.md). It is found in the file
 * `<module>.public-events.ts`, and sent to the webhooks of the event's tenant.
 */
export const publicEvent = <E extends DomainEvent, D extends object>(
  type: string,
  declaration: Declaration<E, D>,
): PublicEvent => ({ type, ...(declaration as unknown as Declaration<DomainEvent, object>) });

/** Declares a type that no event leads to, so that no receiver subscribes to it. */
export const messageType = (type: string, summary: string, schema: AnyClass): MessageType => ({
  type,
  summary,
  schema,
});

const isMessageType = (value: unknown): value is MessageType =>
  typeof value === 'object' && value !== null && 'type' in value && 'schema' in value;

/**
 * All types of messages, in the order of the modules' files.
 * @throws if a type is declared twice
 */
export function messageTypes(): MessageType[] {
  const messages = exportsOfFiles('public-events').flat().filter(isMessageType);
  const types = messages.map(({ type }) => type);
  const repeated = types.find((type, index) => types.indexOf(type) < index);
  if (repeated) throw new Error(`The type of messages '${repeated}' is declared twice.`);
  return messages;
}

/** The catalogue of public events: the types to which receivers subscribe. */
export const publicEvents = (): PublicEvent[] =>
  messageTypes().filter((message): message is PublicEvent => 'from' in message);

/** What a receiver of an event gets, in the form of the specification Standard Webhooks. */
export interface PublicMessage {
  readonly type: string;
  /** When it happened (ISO 8601). */
  readonly timestamp: string;
  readonly tenantId: string;
  readonly data: object;
}

/** The public events that a domain event of a tenant leads to. */
export function publicMessagesOf(event: DomainEvent, catalogue: readonly PublicEvent[], now: Date): PublicMessage[] {
  const { tenantId } = event;
  if (tenantId === null) return [];
  return catalogue
    .filter(({ from, when }) => event instanceof from && (when?.(event) ?? true))
    .map(({ type, data }) => ({ type, timestamp: now.toISOString(), tenantId, data: data(event) }));
}
