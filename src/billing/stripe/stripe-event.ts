import { fieldsOf, isFields, momentOf, textOf, type Fields } from './stripe-fields';

/** The fields that every Stripe event has. */
export interface StripeEvent {
  readonly eventId: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly isLive: boolean;
  /** The connected account that it is of; null: the own one. */
  readonly account: string | null;
  readonly object: Fields;
  /** The previous values of the object's changed fields. */
  readonly before: Fields;
}

const MAX_TEXT = 255;

/** Parses the payload of a webhook. @returns undefined if it is not an event */
export function eventOf(payload: unknown): StripeEvent | undefined {
  if (!isFields(payload)) return undefined;
  const [eventId, type, createdAt] = [textOf(payload.id), textOf(payload.type), momentOf(payload.created)];
  if (!eventId || !type || !createdAt || eventId.length > MAX_TEXT || type.length > MAX_TEXT) return undefined;
  const data = fieldsOf(payload.data);
  return {
    eventId,
    type,
    createdAt,
    isLive: payload.livemode === true,
    account: textOf(payload.account),
    object: fieldsOf(data.object),
    before: fieldsOf(data.previous_attributes),
  };
}
