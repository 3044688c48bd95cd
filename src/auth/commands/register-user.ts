import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { Jobs } from '../../platform/jobs/jobs';
import { currentContext } from '../../platform/observability/request-context';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { TenantProvisioning, Tenant, workspaceNameOf } from '../../tenants/tenants.api';
import {
  checkNewPassword,
  PasswordHasher,
  Registration,
  RegistrationRepository,
  User,
  UserFailures,
  UserRepository,
  UserView,
} from '../../users/users.api';
import { deviceKind } from '../domain/device-kind';
import { mailLink } from './send-link-mail';

/**
 * How often to begin anew when the account is made, or deleted, by somebody else in this very
 * moment.
 */
const ATTEMPTS = 3;

export class RegisteredView {
  @ApiProperty({ type: UserView }) readonly user: UserView;

  /** Private, so that it is no part of an answer. */
  readonly #registrationId: string;

  constructor(user: UserView, registrationId: string) {
    this.user = user;
    this.#registrationId = registrationId;
  }

  get registrationId(): string {
    return this.#registrationId;
  }
}

/**
 * Makes an unverified account with a tenant of its own, and has the verification mail sent; issues
 * no tokens. An address that nobody has verified can be registered again: the registrations stand
 * side by side until one of their links is used. EMAIL_TAKEN for a verified address.
 */
export class RegisterUser extends Command<Result<RegisteredView>> {
  constructor(
    readonly email: string,
    readonly password: string,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(RegisterUser)
export class RegisterUserHandler implements ICommandHandler<RegisterUser> {
  constructor(
    private readonly users: UserRepository,
    private readonly registrations: RegistrationRepository,
    private readonly passwords: PasswordHasher,
    private readonly tenantProvisioning: TenantProvisioning,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ email, password, name }: RegisterUser): Promise<Result<RegisteredView>> {
    const acceptable = checkNewPassword(password, email, 'password');
    if (!acceptable.ok) return acceptable;
    const known = await this.users.findByEmail(email);
    if (known?.isEmailVerified) return err(UserFailures.emailTaken);
    const hashed = await this.passwords.hash(password, known?.passwordHash);
    if (!hashed.ok) return hashed;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const again = known || attempt > 1 ? await this.registerAgain(email, name, hashed.value) : ok(undefined);
      if (!again.ok) return again;
      if (again.value) return ok(again.value);
      const made = await this.make(email, name, hashed.value);
      if (made.ok || made.failure !== UserFailures.emailTaken) return made;
    }
    return err(UserFailures.emailTaken);
  }

  /** @returns undefined when nobody has this address */
  private registerAgain(
    email: string,
    name: string,
    passwordHash: string,
  ): Promise<Result<RegisteredView | undefined>> {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lockByEmail(email);
      if (!user) return ok(undefined);
      if (user.isEmailVerified) return err(UserFailures.emailTaken);
      user.registerAgain(name, passwordHash, this.clock.now());
      await this.users.save(user);
      return ok(await this.keep(user, passwordHash));
    });
  }

  private make(email: string, name: string, passwordHash: string): Promise<Result<RegisteredView>> {
    const user = User.register(email, name, passwordHash, this.clock.now());
    const tenant = Tenant.create(workspaceNameOf(name), user.createdAt);
    return this.unitOfWork.inTenant(
      { tenantId: tenant.id },
      async () => {
        const added = await this.users.add(user);
        if (!added.ok) return added;
        await this.tenantProvisioning.provision(tenant, { userId: user.id, impersonatorId: null });
        return ok(await this.keep(user, passwordHash));
      },
      'none',
    );
  }

  private async keep(user: User, passwordHash: string): Promise<RegisteredView> {
    const device = deviceKind(currentContext().userAgent);
    const registration = Registration.of(user.id, user.name, passwordHash, device, this.clock.now());
    await this.registrations.add(registration);
    await mailLink(this.jobs, user.email, 'verification', { registrationId: registration.id });
    return new RegisteredView(UserView.of(user, this.settings.adminEmails), registration.id);
  }
}
