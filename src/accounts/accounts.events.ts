import { DomainEvent, NO_ACTOR, type ActorRef } from '../platform/domain-events';
import { AccountEmailChanged } from '../users/users.api';

/** A user changed the address of their account. The audit log keeps no address. */
export class EmailChanged extends AccountEmailChanged {
  static readonly action = 'user.email-changed';

  constructor(
    by: ActorRef,
    userId: string,
    /** The record of it, which can be undone. */
    readonly changeId: string,
  ) {
    super(by, userId);
  }
}

/** The owner of an earlier mailbox undid the change of an address. It signs no one in. */
export class EmailChangeUndone extends AccountEmailChanged {
  static readonly action = 'user.email-change-undone';

  constructor(
    userId: string,
    /** The address that the account no longer has. */
    readonly lostEmail: string,
  ) {
    super({ userId, impersonatorId: null }, userId);
  }
}

/** An event of an account. It belongs to no tenant. */
abstract class AccountEvent extends DomainEvent {
  constructor(
    readonly userId: string,
    by: ActorRef = { userId, impersonatorId: null },
    data: Readonly<Record<string, unknown>> = {},
  ) {
    super(by, null, { type: 'user', id: userId }, data);
  }
}

/** A user wants their account to be deleted. */
export class AccountDeletionRequested extends AccountEvent {
  static readonly action = 'user.deletion-requested';

  constructor(
    userId: string,
    readonly deletesAt: Date,
  ) {
    super(userId, undefined, { deletesAt });
  }
}

/** An account was deleted, as its user wanted. Personal data is erased afterwards. */
export class AccountDeleted extends AccountEvent {
  static readonly action = 'user.deleted';

  constructor(userId: string) {
    super(userId, NO_ACTOR);
  }
}

/** A user exported their data. */
export class AccountDataExported extends AccountEvent {
  static readonly action = 'user.data-exported';

  constructor(userId: string) {
    super(userId);
  }
}

/** Why an account is not deleted after all. */
export type CancelReason = 'account-secured' | 'blocked' | 'kept';

/** The planned deletion of an account was canceled, by its user or, if blocked, by the service. */
export class AccountDeletionCanceled extends AccountEvent {
  static readonly action = 'user.deletion-canceled';

  constructor(userId: string, reason: CancelReason) {
    super(userId, reason === 'blocked' ? NO_ACTOR : undefined, { reason });
  }
}
