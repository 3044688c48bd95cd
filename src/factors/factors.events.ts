import { AggregatedEvent, DomainEvent, NO_ACTOR, type ActorRef } from '../platform/domain-events';
import type { Actor } from '../http/access/actor';
import { textOf, type Passkey } from './domain/passkey';
import type { FactorReset } from './domain/factor-reset';

/** The session in which a user changes their second factor. */
export type FactorActor = Pick<Actor, 'userId' | 'tokenId'>;

/** A change of a user's second factor. It belongs to no tenant. */
abstract class FactorEvent extends DomainEvent {
  readonly userId: string;

  constructor({ userId }: Pick<Actor, 'userId'>, data: Readonly<Record<string, unknown>> = {}) {
    super({ userId, impersonatorId: null }, null, { type: 'user', id: userId }, data);
    this.userId = userId;
  }
}

/** A user added an authenticator app. Sign-ins need a second factor from now on. */
export class SecondFactorAdded extends FactorEvent {
  static readonly action = 'second-factor.added';

  constructor(
    readonly actor: FactorActor,
    readonly method: 'totp',
  ) {
    super(actor, { method });
  }
}

/** A user removed the authenticator app and the recovery codes. */
export class SecondFactorRemoved extends FactorEvent {
  static readonly action = 'second-factor.removed';

  constructor(
    readonly actor: FactorActor,
    readonly method: 'totp',
  ) {
    super(actor, { method });
  }
}

/** A user replaced the recovery codes. */
export class RecoveryCodesCreated extends FactorEvent {
  static readonly action = 'recovery-codes.created';
}

/** A recovery code was used in place of the authenticator app. */
export class RecoveryCodeUsed extends FactorEvent {
  static readonly action = 'recovery-code.used';
}

/** An event of a passkey. */
abstract class PasskeyEvent extends FactorEvent {
  constructor({ id, userId }: Pick<Passkey, 'id' | 'userId'>, data: Readonly<Record<string, unknown>> = {}) {
    super({ userId }, { passkeyId: textOf(id), ...data });
  }
}

/** A user added a passkey. */
export class PasskeyAdded extends PasskeyEvent {
  static readonly action = 'passkey.added';

  readonly passkeyId: Buffer;

  constructor(
    readonly actor: FactorActor,
    passkey: Passkey,
  ) {
    super(passkey, { name: passkey.name });
    this.passkeyId = passkey.id;
  }
}

/** A passkey was removed: by its user, with all other sign-in methods, or by a reset. */
export class PasskeyRemoved extends PasskeyEvent {
  static readonly action = 'passkey.removed';

  constructor(
    passkey: Passkey,
    readonly reason: 'removed' | 'account-secured' | 'factor-reset',
  ) {
    super(passkey, { name: passkey.name, reason });
  }
}

/** The counter of a passkey went back when it was used, which hints at a copy of the key. */
export class PasskeyCounterWentBack extends PasskeyEvent {
  static readonly action = 'passkey.counter-went-back';
}

/**
 * All attempts allowed for now were used. They were made after the first factor was proven.
 * Published before the last one is verified.
 */
export class SecondFactorBlocked extends DomainEvent {
  static readonly action = 'second-factor.blocked';

  constructor(readonly userId: string) {
    super(NO_ACTOR, null, { type: 'user', id: userId });
  }
}

/** A wrong code or signature was sent for an account, after the first factor was proven. */
export class SecondFactorFailed extends AggregatedEvent {
  static readonly action = 'user.second-factor-failed';

  constructor(userId: string) {
    super(NO_ACTOR, null, { type: 'user', id: userId });
  }
}

/** A step of the reset of a lost second factor. Its target is the user. */
abstract class FactorResetEvent extends DomainEvent {
  readonly userId: string;

  constructor(by: ActorRef, { id, userId }: FactorReset, data: Readonly<Record<string, unknown>> = {}) {
    super(by, null, { type: 'user', id: userId }, { resetId: id, ...data });
    this.userId = userId;
  }
}

/** An operator asked to reset the second factor of a user. */
export class FactorResetRequested extends FactorResetEvent {
  static readonly action = 'factor-reset.requested';

  constructor(
    by: ActorRef,
    readonly reset: FactorReset,
  ) {
    super(by, reset, { reason: reset.reason });
  }
}

/** Another operator approved the reset. */
export class FactorResetApproved extends FactorResetEvent {
  static readonly action = 'factor-reset.approved';

  constructor(by: ActorRef, reset: FactorReset) {
    super(by, reset, { requestedBy: reset.requestedBy });
  }
}

/** An operator canceled the reset. */
export class FactorResetCanceled extends FactorResetEvent {
  static readonly action = 'factor-reset.canceled';

  constructor(by: ActorRef, reset: FactorReset) {
    super(by, reset, { requestedBy: reset.requestedBy });
  }
}

/** The user stopped the reset. */
export class FactorResetStopped extends FactorResetEvent {
  static readonly action = 'factor-reset.stopped';

  constructor(reset: FactorReset) {
    super({ userId: reset.userId, impersonatorId: null }, reset, { requestedBy: reset.requestedBy });
  }
}

/** No operator approved the reset in time. */
export class FactorResetExpired extends FactorResetEvent {
  static readonly action = 'factor-reset.expired';

  constructor(reset: FactorReset) {
    super(NO_ACTOR, reset, { requestedBy: reset.requestedBy });
  }
}

/** An approved reset removed every second factor of a user. */
export class SecondFactorReset extends FactorResetEvent {
  static readonly action = 'second-factor.reset';

  constructor(reset: FactorReset) {
    super(NO_ACTOR, reset, { requestedBy: reset.requestedBy, approvedBy: reset.approvedBy });
  }
}
