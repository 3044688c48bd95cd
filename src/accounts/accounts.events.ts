import type { ActorRef } from '../platform/domain-events';
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

/** The owner of an earlier mailbox undid the change of an address. Nobody is signed in then. */
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
