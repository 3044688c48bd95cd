import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { err, excluding, ok, type Result } from '../../platform/result';
import { Tenant, TenantProvisioning, workspaceNameOf } from '../../tenants/tenants.api';
import {
  LinkedProvider,
  LinkedProviderRepository,
  User,
  UserFailures,
  UserRepository,
  type ProviderMatch,
} from '../../users/users.api';
import { ProviderLinked } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import type { ProviderProfile } from '../providers/provider-profile';
import type { SignedIn } from '../services/second-factor-tickets';
import { SessionIssuer } from '../services/session-issuer';
import { UnverifiedAccountTakeover } from '../services/unverified-account-takeover';
import { securityMailNow } from './send-security-mail';

/**
 * How often to retry when another sign-in of the same user creates the account at the same time.
 */
const ATTEMPTS = 3;

/**
 * Signs a user in whom an identity provider has authenticated: with the linked account; or with the
 * account that has the same verified address, which is linked now, with an email about it; or with
 * a new account and its own tenant. PROVIDER_EMAIL_UNVERIFIED if no account is linked and the
 * address is not verified; ACCOUNT_DISABLED.
 */
export class SignInByProvider extends Command<
  Result<SignedIn, 'ACCOUNT_DISABLED' | 'PROVIDER_EMAIL_UNVERIFIED' | 'PROVIDER_FAILED'>
> {
  constructor(readonly profile: ProviderProfile) {
    super();
  }
}

@CommandHandler(SignInByProvider)
export class SignInByProviderHandler implements ICommandHandler<SignInByProvider> {
  constructor(
    private readonly users: UserRepository,
    private readonly linkedProviders: LinkedProviderRepository,
    private readonly unverifiedAccountTakeover: UnverifiedAccountTakeover,
    private readonly tenantProvisioning: TenantProvisioning,
    private readonly issuer: SessionIssuer,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ profile }: SignInByProvider) {
    for (let attempt = 1; ; attempt++) {
      const signedIn = await this.unitOfWork.transaction(async () => {
        const match = await this.users.lockByProvider(profile, profile.email);
        return match ? this.signIn(match, profile) : ok(undefined);
      });
      if (!signedIn.ok) return signedIn;
      if (signedIn.value) return ok(signedIn.value);
      if (profile.email === null) return err(AuthFailures.providerEmailUnverified);
      const registered = await this.register(profile, profile.email);
      if (registered.ok || registered.failure.code !== UserFailures.emailTaken.code)
        return excluding(registered, UserFailures.emailTaken.code);
      if (attempt === ATTEMPTS) return err(AuthFailures.providerFailed);
    }
  }

  private async signIn({ user, hasProvider }: ProviderMatch, profile: ProviderProfile) {
    const now = this.clock.now();
    const passwordRemoved = await this.unverifiedAccountTakeover.takeOver(user, profile.name);
    const link = LinkedProvider.of(profile, user.id, now);
    // linking would add a lasting way in with one of two factors
    const linked = !hasProvider && !user.hasSecondFactor && (await this.linkedProviders.add(link));
    if (linked) {
      if (user.adoptPicture(profile.pictureUrl)) await this.users.save(user);
      await this.events.publish(new ProviderLinked(user.id, profile.provider));
    }
    // the email about the link already tells the user about this sign-in
    const newDeviceJob = linked ? undefined : securityMailNow(user.id, 'new-device', now);
    // a failure also rolls the takeover and the link back
    return this.issuer.openLocked(user, { method: profile.provider, linked, passwordRemoved }, { newDeviceJob });
  }

  private register(profile: ProviderProfile, email: string) {
    const user = User.fromProvider(email, profile.name, profile.pictureUrl, this.clock.now());
    const tenant = Tenant.create(workspaceNameOf(user.name), user.createdAt);
    return this.unitOfWork.inTenant(
      { tenantId: tenant.id },
      async () => {
        const added = await this.users.addLinked(user, LinkedProvider.of(profile, user.id, user.createdAt));
        if (!added.ok) return added;
        await this.events.publish(new ProviderLinked(user.id, profile.provider, true));
        await this.tenantProvisioning.provision(tenant, { userId: user.id, impersonatorId: null });
        return this.issuer.openLocked(user, { method: profile.provider, linked: true }, { tenantId: tenant.id });
      },
      'none',
    );
  }
}
