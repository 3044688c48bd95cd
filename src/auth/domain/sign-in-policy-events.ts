import { DomainEvent, NO_ACTOR, UnrecordedEvent, type ActorRef } from '../../platform/domain-events';
import type { SignInPolicy } from './sign-in-policy';

/** The sign-in policy of a tenant was set. */
export class SignInPolicyChanged extends DomainEvent {
  static readonly action = 'sign-in-policy.changed';

  /**
   * Whether members have to be told: a second factor is needed from a time that was not announced.
   */
  readonly needsAnnouncement: boolean;

  constructor(
    by: ActorRef,
    readonly policy: SignInPolicy,
    before: Date | null,
  ) {
    const { tenantId, secondFactorFrom, maxSessionHours, allowedMethods, maxTokenDays } = policy;
    const rules = { secondFactorFrom, maxSessionHours, allowedMethods, maxTokenDays };
    super(by, tenantId, { type: 'tenant', id: tenantId }, rules);
    this.needsAnnouncement = secondFactorFrom !== null && secondFactorFrom.getTime() !== before?.getTime();
  }
}

/** An operator removed the sign-in policy of a tenant. */
export class SignInPolicyRemoved extends DomainEvent {
  static readonly action = 'sign-in-policy.removed';

  constructor(by: ActorRef, tenantId: string) {
    super(by, tenantId, { type: 'tenant', id: tenantId });
  }
}

/** Members are told that their tenant will ask for a second factor. */
export class SecondFactorAnnounced extends UnrecordedEvent {
  static readonly action = 'sign-in-policy.announced';

  constructor(
    tenantId: string,
    /** From when on (ISO 8601). */
    readonly from: string,
    readonly members: readonly { readonly userId: string; readonly tenantName: string }[],
  ) {
    super(NO_ACTOR, tenantId, { type: 'tenant', id: tenantId });
  }
}
