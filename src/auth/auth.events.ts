import { AggregatedEvent, DomainEvent, NO_ACTOR, UnrecordedEvent, type ActorRef } from '../platform/domain-events';
import type { Provider, User } from '../users/users.api';
import { AccountEvent, selfOf } from './domain/account-event';
import { deviceKind } from './domain/device-kind';
import type { RevocationReason, RevokedSession } from './domain/session';
import type { SignInTicket } from './domain/sign-in-ticket';

/** A signed-in user changed their password, or set their first one. */
export class PasswordChanged extends AccountEvent {
  static readonly action = 'user.password-changed';

  constructor(userId: string) {
    super(userId);
  }
}

/** A user set a new password with an emailed link. */
export class PasswordReset extends AccountEvent {
  static readonly action = 'user.password-reset';

  constructor(
    userId: string,
    /** Whether the account was verified before. If not, a stranger may have chosen its name. */
    readonly wasVerified: boolean,
  ) {
    super(userId);
  }
}

/** A wrong password was sent for an account. */
export class SignInFailed extends AggregatedEvent {
  static readonly action = 'user.sign-in-failed';

  constructor(userId: string) {
    super(NO_ACTOR, null, { type: 'user', id: userId });
  }
}

/** A sign-in waits for the second factor of an account. */
export class SecondFactorAsked extends UnrecordedEvent {
  static readonly action = 'user.second-factor-asked';

  constructor(readonly userId: string) {
    super(NO_ACTOR, null, { type: 'user', id: userId });
  }
}

/** A correct first factor was sent for an account, and then nothing that completed the sign-in. */
export class SignInNotCompleted extends AccountEvent {
  static readonly action = 'user.sign-in-not-completed';

  constructor({ userId, signIn, ip, userAgent, isKnownBrowser }: SignInTicket) {
    super(userId, NO_ACTOR, { method: signIn.method, ip, device: deviceKind(userAgent), isKnownBrowser });
  }
}

/** An identity provider was linked to an account. */
export class ProviderLinked extends AccountEvent {
  static readonly action = 'provider.linked';

  constructor(
    userId: string,
    readonly provider: Provider,
    /** Whether the same sign-in created the account. */
    readonly isNewAccount = false,
  ) {
    super(userId, undefined, { provider });
  }
}

/** An identity provider was unlinked from an account. */
export class ProviderUnlinked extends AccountEvent {
  static readonly action = 'provider.unlinked';

  constructor(userId: string, provider: Provider) {
    super(userId, undefined, { provider });
  }
}

/** The owner of the mailbox chose "This was not me": the password and all links were removed. */
export class AccountSecured extends AccountEvent {
  static readonly action = 'user.account-secured';

  constructor(userId: string) {
    super(userId);
  }
}

/**
 * The owner of the mailbox canceled one of several registrations of an unverified account. Nobody
 * is signed in at that time.
 */
export class RegistrationCanceled extends AccountEvent {
  static readonly action = 'registration.deleted';

  constructor(userId: string, registrationId: string) {
    super(userId, NO_ACTOR, { reason: 'disowned', registrationId });
  }
}

/**
 * Why an unverified account was deleted. `mailbox-claimed`: another account has proven its address.
 */
export type DeletionReason = 'disowned' | 'never-verified' | 'mailbox-claimed';

/** An unverified account was deleted. */
export class UnverifiedAccountDeleted extends AccountEvent {
  static readonly action = 'user.deleted';

  constructor(userId: string, reason: DeletionReason) {
    super(userId, NO_ACTOR, { reason });
  }
}

/**
 * The owner of the mailbox took over an account that others may have registered. The audit log
 * records the sign-in or the password reset that caused it.
 */
export class UnverifiedAccountTakenOver extends UnrecordedEvent {
  static readonly action = 'user.taken-over';

  readonly userId: string;
  readonly email: string;

  constructor(
    { id, email }: Pick<User, 'id' | 'email'>,
    /** Whether a password was removed that was set before the mailbox was proven. */
    readonly passwordRemoved: boolean,
    /** The workspace that is not named after the owner; undefined if there is none. */
    readonly workspaceToRename: string | undefined,
  ) {
    super(selfOf(id), null, { type: 'user', id });
    this.userId = id;
    this.email = email;
  }
}

/** A session was ended before it expired. */
export class SessionRevoked extends DomainEvent {
  static readonly action = 'session.revoked';

  constructor({ id, userId, tenantId }: RevokedSession, reason: RevocationReason, by: ActorRef = selfOf(userId)) {
    super(by, tenantId, { type: 'session', id }, { reason });
  }
}

/** A refresh token was used twice, and its session was revoked. */
export class TokenReused extends DomainEvent {
  static readonly action = 'session.token-reused';

  readonly userId: string;

  constructor({ id, userId, tenantId }: RevokedSession) {
    super(selfOf(userId), tenantId, { type: 'session', id }, { reason: 'token-reuse' });
    this.userId = userId;
  }
}
