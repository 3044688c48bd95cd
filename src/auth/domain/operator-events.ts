import { DomainEvent, type ActorRef } from '../../platform/domain-events';
import { AccountEvent } from './account-event';

/** An admin disabled an account. */
export class UserDisabled extends AccountEvent {
  static readonly action = 'user.disabled';

  constructor(by: ActorRef, userId: string, reason?: string) {
    super(userId, by, reason === undefined ? {} : { reason });
  }
}

/** An admin enabled a disabled account. */
export class UserEnabled extends AccountEvent {
  static readonly action = 'user.enabled';

  constructor(by: ActorRef, userId: string) {
    super(userId, by);
  }
}

/** An admin sent a link to a user. */
export class UserLinkSent extends AccountEvent {
  static readonly action = 'user.link-sent';

  constructor(by: ActorRef, userId: string, link: string) {
    super(userId, by, { link });
  }
}

/** An admin ended all sessions of a user. */
export class UserSessionsEnded extends AccountEvent {
  static readonly action = 'user.sessions-ended';

  /** @param sessions how many; each has an entry of its own, too */
  constructor(by: ActorRef, userId: string, sessions: number) {
    super(userId, by, { sessions });
  }
}

/** An admin started to impersonate a user. The admin is both actor and impersonator. */
export class UserImpersonated extends DomainEvent {
  static readonly action = 'user.impersonated';

  constructor(
    adminId: string,
    user: { readonly id: string; readonly tenantId: string | null },
    readonly reason: string | null,
  ) {
    super({ userId: adminId, impersonatorId: adminId }, user.tenantId, { type: 'user', id: user.id }, { reason });
  }
}
