import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Jobs } from '../../platform/jobs/jobs';
import { causerHashOfRequest } from '../../platform/mail/mail-causer-hash';
import { currentContext } from '../../platform/observability/request-context';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { Tenant, TenantProvisioning, workspaceNameOf } from '../../tenants/tenants.api';
import {
  checkNewPassword,
  PasswordHasher,
  Registration,
  RegistrationRepository,
  toUserProfile,
  User,
  UserFailures,
  UserRepository,
  type UserProfile,
} from '../../users/users.api';
import { deviceKind } from '../domain/device-kind';
import { enqueueLinkMail } from './send-link-mail';

/** How often to retry when another request creates or deletes the account at the same time. */
const ATTEMPTS = 3;

/** The result of a registration. The private field is not part of the response. */
export class RegisteredUser {
  readonly #registrationId: string;

  constructor(
    readonly user: UserProfile,
    registrationId: string,
  ) {
    this.#registrationId = registrationId;
  }

  get registrationId(): string {
    return this.#registrationId;
  }
}

/**
 * Creates an unverified account with its own tenant, and enqueues the verification email. No tokens
 * are issued. An address that is not verified can be registered again: the registrations exist side
 * by side until one of their links is used. EMAIL_TAKEN for a verified address.
 */
export class RegisterUser extends Command<Result<RegisteredUser, 'EMAIL_TAKEN' | 'UNAVAILABLE' | 'VALIDATION_ERROR'>> {
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

  async execute({ email, password, name }: RegisterUser) {
    const acceptable = checkNewPassword(password, { email, name }, 'password');
    if (!acceptable.ok) return acceptable;
    const known = await this.users.findByEmail(email);
    if (known?.isEmailVerified) return err(UserFailures.emailTaken);
    const hashed = await this.passwords.hash(password, known?.passwordHash);
    if (!hashed.ok) return hashed;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const isKnown = known !== null || attempt > 1;
      const again = isKnown ? await this.registerAgain(email, name, hashed.value) : err(PlatformFailures.notFound);
      if (again.ok) return again;
      if (again.failure.code !== PlatformFailures.notFound.code) return err(UserFailures.emailTaken);
      const created = await this.createAccount(email, name, hashed.value);
      if (created.ok || created.failure !== UserFailures.emailTaken) return created;
    }
    return err(UserFailures.emailTaken);
  }

  /** NOT_FOUND if the address has no account. */
  private registerAgain(
    email: string,
    name: string,
    passwordHash: string,
  ): Promise<Result<RegisteredUser, 'EMAIL_TAKEN' | 'NOT_FOUND'>> {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lockByEmail(email);
      if (!user) return err(PlatformFailures.notFound);
      if (user.isEmailVerified) return err(UserFailures.emailTaken);
      user.registerAgain(name, passwordHash, this.clock.now());
      await this.users.save(user);
      return ok(await this.addRegistration(user, passwordHash));
    });
  }

  private createAccount(
    email: string,
    name: string,
    passwordHash: string,
  ): Promise<Result<RegisteredUser, 'EMAIL_TAKEN'>> {
    const user = User.register(email, name, passwordHash, this.clock.now());
    const tenant = Tenant.create(workspaceNameOf(name), user.createdAt);
    return this.unitOfWork.inTenant(
      { tenantId: tenant.id },
      async () => {
        const added = await this.users.add(user);
        if (!added.ok) return added;
        await this.tenantProvisioning.provision(tenant, { userId: user.id, impersonatorId: null });
        return ok(await this.addRegistration(user, passwordHash));
      },
      'none',
    );
  }

  private async addRegistration(user: User, passwordHash: string): Promise<RegisteredUser> {
    const source = { device: deviceKind(currentContext().userAgent), cause: causerHashOfRequest() };
    const registration = Registration.of(user, passwordHash, source, this.clock.now());
    await this.registrations.add(registration);
    await enqueueLinkMail(this.jobs, user.email, 'verification', { registrationId: registration.id });
    return new RegisteredUser(toUserProfile(user, this.settings.adminEmails), registration.id);
  }
}
