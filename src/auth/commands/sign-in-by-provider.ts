import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { TenantProvisioning, Tenant, workspaceNameOf } from '../../tenants/tenants.api';
import { User, UserFailures, UserRepository, type RecognisedUser } from '../../users/users.api';
import { ProviderLinked } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import { UnverifiedAccountTakeover } from '../services/unverified-account-takeover';
import type { ProviderProfile } from '../providers/provider-profile';
import { SessionIssuer } from '../services/session-issuer';
import type { TokenPair } from '../domain/token-pair';

/**
 * How often to look again when the account was made by another sign-in of the same person in this
 * very moment.
 */
const ATTEMPTS = 3;

/**
 * Signs a person in whom an identity provider has recognised: as the account that is linked with
 * them, else as the one with their address, which is linked from now on (which they are told by
 * mail), else with a new account and a tenant of its own. PROVIDER_EMAIL_UNVERIFIED where only the
 * address could tell; ACCOUNT_DISABLED.
 */
export class SignInByProvider extends Command<Result<TokenPair>> {
  constructor(readonly profile: ProviderProfile) {
    super();
  }
}

@CommandHandler(SignInByProvider)
export class SignInByProviderHandler implements ICommandHandler<SignInByProvider> {
  constructor(
    private readonly users: UserRepository,
    private readonly unverifiedAccountTakeover: UnverifiedAccountTakeover,
    private readonly tenantProvisioning: TenantProvisioning,
    private readonly issuer: SessionIssuer,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ profile }: SignInByProvider): Promise<Result<TokenPair>> {
    for (let attempt = 1; ; attempt++) {
      const known = await this.unitOfWork.transaction(async () => {
        const found = await this.users.lockByProvider(profile, profile.email);
        return found ? this.enter(found, profile) : ok(undefined);
      });
      if (!known.ok) return known;
      if (known.value) return ok(known.value);
      if (profile.email === null) return err(AuthFailures.providerEmailUnverified);
      const made = await this.join(profile, profile.email);
      if (made.ok || made.failure !== UserFailures.emailTaken) return made;
      if (attempt === ATTEMPTS) return err(AuthFailures.providerFailed);
    }
  }

  private async enter({ user, hasProvider }: RecognisedUser, profile: ProviderProfile): Promise<Result<TokenPair>> {
    const passwordRemoved = await this.unverifiedAccountTakeover.claim(user);
    const linked = !hasProvider && (await this.users.link(user.id, profile, profile.pictureUrl, this.clock.now()));
    if (linked) await this.events.publish(new ProviderLinked(user.id, profile.provider));
    // a refusal here takes claim and link back too
    return this.issuer.open(user, { method: profile.provider, linked, passwordRemoved });
  }

  private join(profile: ProviderProfile, email: string): Promise<Result<TokenPair>> {
    const user = User.recognise(email, profile.name, profile.pictureUrl, this.clock.now());
    const tenant = Tenant.create(workspaceNameOf(user.name), user.createdAt);
    return this.unitOfWork.inTenant(
      { tenantId: tenant.id },
      async () => {
        const added = await this.users.addLinked(user, profile);
        if (!added.ok) return added;
        await this.events.publish(new ProviderLinked(user.id, profile.provider, true));
        await this.tenantProvisioning.provision(tenant, { userId: user.id, impersonatorId: null });
        return this.issuer.open(user, { method: profile.provider, linked: true }, tenant.id);
      },
      'none',
    );
  }
}
