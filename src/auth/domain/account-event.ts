import { DomainEvent, type ActorRef } from '../../platform/domain-events';

/** The actor of an event that is caused by the service, or by an unauthenticated caller. */
export const NO_ACTOR: ActorRef = { userId: null, impersonatorId: null };
/** The user as the actor. */
export const selfOf = (userId: string): ActorRef => ({ userId, impersonatorId: null });

/** An event of an account. It belongs to no tenant. */
export abstract class AccountEvent extends DomainEvent {
  constructor(
    readonly userId: string,
    by: ActorRef = selfOf(userId),
    data: Readonly<Record<string, unknown>> = {},
  ) {
    super(by, null, { type: 'user', id: userId }, data);
  }
}
