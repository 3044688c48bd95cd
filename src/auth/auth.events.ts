import { DomainEvent, AggregatedEvent, type ActorRef } from '../platform/domain-events';
import type { Provider } from '../users/users.api';

/**
 * What happens to the ways into an account, told in the transaction in which it does. It belongs to
 * no tenant.
 */
abstract class AccountEvent extends DomainEvent {
  constructor(
    action: string,
    /** Whose account it is. */
    readonly userId: string,
    by: ActorRef = { userId, impersonatorId: null },
    data: Readonly<Record<string, unknown>> = {},
  ) {
    super(action, by, null, { type: 'user', id: userId }, data);
  }
}

/** Somebody changed their password while they were signed in. */
export class PasswordChanged extends AccountEvent {
  constructor(userId: string) {
    super('user.password-changed', userId);
  }
}

/** Somebody set a new password with a mailed link. */
export class PasswordReset extends AccountEvent {
  constructor(
    userId: string,
    /** Whether the account was verified before: if not, anybody may have named it. */
    readonly wasVerified: boolean,
  ) {
    super('user.password-reset', userId);
  }
}

/** A wrong password was given for an account. Anybody can cause it, as often as they like. */
export class SignInFailed extends AggregatedEvent {
  constructor(userId: string) {
    super('user.sign-in-failed', { userId: null, impersonatorId: null }, null, { type: 'user', id: userId });
  }
}

/** An account at an identity provider leads to this person's from now on. */
export class ProviderLinked extends AccountEvent {
  constructor(
    userId: string,
    readonly provider: Provider,
    /** Whether the account was made by this very sign-in: then it is no news to its owner. */
    readonly isNewAccount = false,
  ) {
    super('provider.linked', userId, undefined, { provider });
  }
}

/**
 * Somebody who holds the mailbox said "This was not me": every way in but the mailbox was taken
 * away.
 */
export class AccountSecured extends AccountEvent {
  constructor(userId: string) {
    super('user.account-secured', userId);
  }
}

/** It does so no more. */
export class ProviderUnlinked extends AccountEvent {
  constructor(userId: string, provider: Provider) {
    super('provider.unlinked', userId, undefined, { provider });
  }
}

/**
 * Who holds the mailbox said of one registration of an unverified account "This was not me"; others
 * still stand. Nobody is signed in.
 */
export class RegistrationDisowned extends AccountEvent {
  constructor(userId: string, registrationId: string) {
    super(
      'registration.deleted',
      userId,
      { userId: null, impersonatorId: null },
      { reason: 'disowned', registrationId },
    );
  }
}

/**
 * An admin acts as somebody from now on. Both ids are the admin's: the person does nothing here.
 */
export class UserImpersonated extends DomainEvent {
  constructor(
    adminId: string,
    person: { readonly id: string; readonly tenantId: string | null },
    readonly reason: string | null,
  ) {
    super(
      'user.impersonated',
      { userId: adminId, impersonatorId: adminId },
      person.tenantId,
      { type: 'user', id: person.id },
      { reason },
    );
  }
}
