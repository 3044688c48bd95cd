import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { PasskeyRepository, ProvingFactors } from '../../factors/factors.api';
import type { TenantPerson } from '../../http/access/actor';
import { personalTokensKey, RevokedTokens } from '../../http/access/revoked-tokens';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { TenantOwners } from '../../tenants/tenants.api';
import { LinkedProviderRepository, UserRepository } from '../../users/users.api';
import { SignInPolicyChanged } from '../domain/sign-in-policy-events';
import { SessionRepository } from '../data/session.repository';
import { SignInPolicyRepository } from '../data/sign-in-policy.repository';
import { SignInPolicy, type PolicyMethod, type SignInRules } from '../domain/sign-in-policy';
import type { SignInPolicyView } from '../http/views/sign-in-policy.views';
import { policyView } from '../queries/get-sign-in-policy';

/**
 * Sets the sign-in policy of the active tenant. Members without a second factor are notified if it
 * asks for one. It applies to each session from the next refresh on, and to personal tokens within
 * a second. POLICY_WOULD_LOCK_YOU_OUT;
 * SESSION_ENDED.
 */
export class ChangeSignInPolicy extends Command<
  Result<SignInPolicyView, 'NOT_FOUND' | 'POLICY_WOULD_LOCK_YOU_OUT' | 'SESSION_ENDED' | 'UNAUTHENTICATED'>
> {
  constructor(
    readonly actor: TenantPerson,
    readonly rules: SignInRules,
  ) {
    super();
  }
}

@CommandHandler(ChangeSignInPolicy)
export class ChangeSignInPolicyHandler implements ICommandHandler<ChangeSignInPolicy> {
  constructor(
    private readonly policies: SignInPolicyRepository,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly tenantOwners: TenantOwners,
    private readonly linkedProviders: LinkedProviderRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly provingFactors: ProvingFactors,
    private readonly revokedTokens: RevokedTokens,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, rules }: ChangeSignInPolicy) {
    const { tenantId } = actor;
    return this.unitOfWork.inTenant(
      actor,
      async () => {
        const user = await this.users.lockEnabled(actor.userId);
        if (!user) return err(PlatformFailures.unauthenticated);
        const session = await this.sessions.findByAccessToken(actor.tokenId);
        if (!session) return err(PlatformFailures.sessionEnded);
        const before = await this.policies.lock(tenantId);
        const policy = SignInPolicy.of(tenantId, rules, before, this.clock.now());
        const hasFactor = await this.provingFactors.exist(user);
        const allowed = policy.checkPeople(hasFactor, session, await this.methodsOfOwner(tenantId));
        if (!allowed.ok) return allowed;
        await this.policies.put(policy);
        await this.revokedTokens.revoke([personalTokensKey(tenantId)]); // instances read them again
        await this.events.publish(new SignInPolicyChanged(actor, policy, before?.secondFactorFrom ?? null));
        return ok(policyView(policy));
      },
      'serial',
    );
  }

  private async methodsOfOwner(tenantId: string): Promise<readonly PolicyMethod[]> {
    const owner = (await this.tenantOwners.of([tenantId])).get(tenantId);
    if (!owner) return [];
    const providers = await this.linkedProviders.listByUser(owner.userId);
    return (await this.passkeys.existsFor(owner.userId)) ? [...providers, 'passkey'] : providers;
  }
}
