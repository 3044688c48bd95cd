import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../edge/fields';
import { SETTINGS, type Settings } from '../../config/settings';
import type { Actor } from '../../edge/actor';
import { Database } from '../../platform/database';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserView } from '../../users/users.contract';

/** Who the caller is, and as what (contract section 3). */
export class MeView {
  @ApiProperty({ type: UserView }) readonly user!: UserView;
  @ApiProperty({ type: 'null', description: 'The active tenant; nobody is in one yet' }) readonly tenant!: null;
  @ApiProperty({ type: String, description: 'The role in the active tenant, "" without one' }) readonly role!: string;
  @ApiProperty({ type: [String] }) readonly permissions!: readonly string[];
  @ApiProperty({ type: 'null', description: "The active tenant's subscription" }) readonly subscription!: null;
  @NullableText({ format: 'uuid', description: 'The admin behind an impersonation' })
  readonly impersonatorId!: string | null;
}

/** UNAUTHENTICATED when the account is gone while its token still lives. */
export class GetMe extends Query<Result<MeView>> {
  constructor(readonly actor: Actor) {
    super();
  }
}

@QueryHandler(GetMe)
export class GetMeHandler implements IQueryHandler<GetMe> {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ actor }: GetMe): Promise<Result<MeView>> {
    const [user] = await this.database.read<Omit<UserView, 'isAdmin'>>(
      `SELECT id, email, name, is_email_verified AS "isEmailVerified", picture_url AS "pictureUrl", created_at AS "createdAt"
         FROM users WHERE id = $1`,
      [actor.userId],
    );
    if (!user) return err(PlatformFailures.unauthenticated);
    const { role, permissions, impersonatorId } = actor;
    return ok({ user: UserView.of(user, this.settings.adminEmails), tenant: null, role, permissions, subscription: null, impersonatorId });
  }
}
