import { DomainEvent, type ActorRef } from '../../platform/domain-events';

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
