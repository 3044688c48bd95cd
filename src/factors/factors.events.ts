import { AggregatedEvent, DomainEvent } from '../platform/domain-events';
import type { Actor } from '../http/access/actor';

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

/** A wrong code was sent for an account, after the first factor was proven. */
export class SecondFactorFailed extends AggregatedEvent {
  static readonly action = 'user.second-factor-failed';

  constructor(userId: string) {
    super({ userId: null, impersonatorId: null }, null, { type: 'user', id: userId });
  }
}
