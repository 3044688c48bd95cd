import { AggregatedEvent, DomainEvent, UnrecordedEvent, type ActorRef } from '../platform/domain-events';
import type { Provider, User } from '../users/users.api';
import type { RevocationReason, RevokedSession } from './domain/session';

/** The actor of an event that is caused by the service, or by an unauthenticated caller. */
const NO_ACTOR: ActorRef = { userId: null, impersonatorId: null };
const own = (userId: string): ActorRef => ({ userId, impersonatorId: null });

/** An event of an account. It belongs to no tenant. */
abstract class AccountEvent extends DomainEvent {
  constructor(
    action: string,
    readonly userId: string,
    by: ActorRef = own(userId),
    data: Readonly<Record<string, unknown>> = {},
  ) {
    super(action, by, null, { type: 'user', id: userId }, data);
  }
}

/** A signed-in user changed their password, or set their first one. */
export class PasswordChanged extends AccountEvent {
  constructor(userId: string) {
    super('user.password-changed', userId);
  }
}

/** A user set a new password with an emailed link. */
export class PasswordReset extends AccountEvent {
  constructor(
    userId: string,
    /** Whether the account was verified before. If not, a stranger may have chosen its name. */
    readonly wasVerified: boolean,
  ) {
    super('user.password-reset', userId);
  }
}

/** A wrong password was sent for an account. */
export class SignInFailed extends AggregatedEvent {
  constructor(userId: string) {
    super('user.sign-in-failed', NO_ACTOR, null, { type: 'user', id: userId });
  }
}

/** An identity provider was linked to an account. */
export class ProviderLinked extends AccountEvent {
  constructor(
    userId: string,
    readonly provider: Provider,
    /** Whether the same sign-in created the account. */
    readonly isNewAccount = false,
  ) {
    super('provider.linked', userId, undefined, { provider });
  }
}

/** An identity provider was unlinked from an account. */
export class ProviderUnlinked extends AccountEvent {
  constructor(userId: string, provider: Provider) {
    super('provider.unlinked', userId, undefined, { provider });
  }
}

/** The owner of the mailbox chose "This was not me": the password and all links were removed. */
export class AccountSecured extends AccountEvent {
  constructor(userId: string) {
    super('user.account-secured', userId);
  }
}

/**
 * The owner of the mailbox canceled one of several registrations of an unverified account. Nobody
 * is signed in at that time.
 */
export class RegistrationCancelled extends AccountEvent {
  constructor(userId: string, registrationId: string) {
    super('registration.deleted', userId, NO_ACTOR, { reason: 'disowned', registrationId });
  }
}

/** An unverified account was deleted. */
export class UnverifiedAccountDeleted extends AccountEvent {
  constructor(userId: string, reason: 'disowned' | 'never-verified') {
    super('user.deleted', userId, NO_ACTOR, { reason });
  }
}

/**
 * The owner of the mailbox took over an account that others may have registered. The audit log
 * records the sign-in or the password reset that caused it.
 */
export class UnverifiedAccountTakenOver extends UnrecordedEvent {
  readonly userId: string;
  readonly email: string;

  constructor(
    { id, email }: Pick<User, 'id' | 'email'>,
    /** Whether a password was removed that was set before the mailbox was proven. */
    readonly passwordRemoved: boolean,
    /** The workspace that is not named after the owner; undefined if there is none. */
    readonly workspaceToRename: string | undefined,
  ) {
    super('user.taken-over', own(id), null, { type: 'user', id });
    this.userId = id;
    this.email = email;
  }
}

/** An admin disabled an account. */
export class UserDisabled extends AccountEvent {
  constructor(by: ActorRef, userId: string, reason?: string) {
    super('user.disabled', userId, by, reason === undefined ? {} : { reason });
  }
}

/** An admin enabled a disabled account. */
export class UserEnabled extends AccountEvent {
  constructor(by: ActorRef, userId: string) {
    super('user.enabled', userId, by);
  }
}

/** An admin sent a link to a user. */
export class UserLinkSent extends AccountEvent {
  constructor(by: ActorRef, userId: string, link: string) {
    super('user.link-sent', userId, by, { link });
  }
}

/** An admin ended all sessions of a user. */
export class UserSessionsEnded extends AccountEvent {
  /** @param sessions how many; each has an entry of its own, too */
  constructor(by: ActorRef, userId: string, sessions: number) {
    super('user.sessions-ended', userId, by, { sessions });
  }
}

/** A session was ended before it expired. */
export class SessionRevoked extends DomainEvent {
  constructor({ id, userId, tenantId }: RevokedSession, reason: RevocationReason, by: ActorRef = own(userId)) {
    super('session.revoked', by, tenantId, { type: 'session', id }, { reason });
  }
}

/** A refresh token was used twice, and its session was revoked. */
export class TokenReused extends DomainEvent {
  readonly userId: string;

  constructor({ id, userId, tenantId }: RevokedSession) {
    super('session.token-reused', own(userId), tenantId, { type: 'session', id }, { reason: 'token-reuse' });
    this.userId = userId;
  }
}

/** An admin started to impersonate a user. The admin is both actor and impersonator. */
export class UserImpersonated extends DomainEvent {
  constructor(
    adminId: string,
    user: { readonly id: string; readonly tenantId: string | null },
    readonly reason: string | null,
  ) {
    super(
      'user.impersonated',
      { userId: adminId, impersonatorId: adminId },
      user.tenantId,
      { type: 'user', id: user.id },
      { reason },
    );
  }
}
