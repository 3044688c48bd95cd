import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { Jobs } from '../../platform/jobs';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/unit-of-work';
import { Founding, Tenant } from '../../tenants/tenants.contract';
import { checkNewPassword, PasswordHasher, User, UserRepository, UserView } from '../../users/users.contract';
import { mailLink } from './send-link-mail';

export class RegisteredView {
  @ApiProperty({ type: UserView }) readonly user!: UserView;
}

/**
 * Makes an unverified account with a tenant of its own, and has the verification mail sent; issues no tokens. EMAIL_TAKEN when the address has an
 * account.
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
    private readonly passwords: PasswordHasher,
    private readonly founding: Founding,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ email, password, name }: RegisterUser): Promise<Result<RegisteredView>> {
    const acceptable = checkNewPassword(password, email, 'password');
    if (!acceptable.ok) return acceptable;
    const hashed = await this.passwords.hash(password);
    if (!hashed.ok) return hashed;
    const user = User.register(email, name, hashed.value, this.clock.now());
    const tenant = Tenant.found(`${name}'s workspace`, user.createdAt);
    return this.unitOfWork.within(
      { tenantId: tenant.id },
      async () => {
        const added = await this.users.add(user);
        if (!added.ok) return added;
        await this.founding.found(tenant, { userId: user.id, impersonatorId: null });
        await mailLink(this.jobs, email, 'verification');
        return ok({ user: UserView.of(user, this.settings.adminEmails) });
      },
      'new',
    );
  }
}
