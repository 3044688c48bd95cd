import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { IsNull, MoreThan } from 'typeorm';
import { LastSignIn, Session } from '../../auth/auth.api';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { EntityReader } from '../../platform/database/entity-reader';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { ListTenants, type MembershipView } from '../../tenants/tenants.api';
import { HAS_PASSWORD, isAdmin, LinkedProvider, PROVIDERS, User } from '../../users/users.api';
import type {
  AdminMembershipView,
  AdminSessionView,
  AdminUserDetailView,
  LinkedProviderView,
} from '../http/views/user.views';
import { ADMIN_USER_COLUMNS } from '../data/user.columns';

/** Gets a user account with its sessions, providers and memberships. NOT_FOUND. */
export class GetUser extends Query<Result<AdminUserDetailView, 'NOT_FOUND'>> {
  constructor(readonly userId: string) {
    super();
  }
}

/** Most sessions and memberships that are shown. */
const MOST = 100;

@QueryHandler(GetUser)
export class GetUserHandler implements IQueryHandler<GetUser> {
  constructor(
    private readonly reader: EntityReader,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ userId }: GetUser): Promise<Result<AdminUserDetailView, 'NOT_FOUND'>> {
    const [user, providers, sessions, memberships, lastSignIn] = await Promise.all([
      this.reader.findOne(User, {
        select: [...ADMIN_USER_COLUMNS, 'hasSecondFactor', 'deletesAt'],
        computed: HAS_PASSWORD,
        where: { id: userId },
      }),
      this.providersOf(userId),
      this.sessionsOf(userId),
      this.queries.execute(new ListTenants(userId, { limit: MOST })),
      this.reader.findOne(LastSignIn, { select: ['at', 'method'], where: { userId } }),
    ]);
    if (!user) return err(PlatformFailures.notFound);
    if (!memberships.ok) return memberships;
    return ok({
      ...user,
      isAdmin: isAdmin(user, this.settings.adminEmails),
      lastSignInAt: lastSignIn?.at ?? null,
      lastSignInMethod: lastSignIn?.method ?? null,
      providers,
      sessions,
      memberships: memberships.value.items.map(membershipOf),
    });
  }

  private providersOf(userId: string): Promise<LinkedProviderView[]> {
    return this.reader.find(LinkedProvider, {
      select: ['provider', 'providerUserId', 'linkedAt'],
      where: { userId },
      order: { provider: 'ASC' },
      limit: PROVIDERS.length,
    });
  }

  private sessionsOf(userId: string): Promise<AdminSessionView[]> {
    return this.reader.find(Session, {
      select: ['id', 'createdAt', 'lastUsedAt', 'ip', 'userAgent'],
      where: { userId, revokedAt: IsNull(), expiresAt: MoreThan(this.clock.now()) },
      order: { id: 'DESC' },
      limit: MOST,
    });
  }
}

const membershipOf = ({ tenant, role, joinedAt }: MembershipView): AdminMembershipView => ({
  tenantId: tenant.id,
  tenantName: tenant.name,
  role,
  joinedAt,
});
