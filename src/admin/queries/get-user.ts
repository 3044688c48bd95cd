import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { Database } from '../../platform/database/database';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { isAdmin } from '../../users/users.api';
import type {
  AdminMembershipView,
  AdminSessionView,
  AdminUserDetailView,
  LinkedProviderView,
} from '../http/views/user.views';
import { ADMIN_USER_COLUMNS, type AdminUser } from '../data/user.columns';

/** Gets a user account with its sessions, providers and memberships. NOT_FOUND. */
export class GetUser extends Query<Result<AdminUserDetailView, 'NOT_FOUND'>> {
  constructor(readonly userId: string) {
    super();
  }
}

const USER = `SELECT ${ADMIN_USER_COLUMNS}, r.password_hash IS NOT NULL AS "hasPassword" FROM users r WHERE r.id = $1`;

const LINKS = `SELECT provider, provider_user_id AS "providerUserId", linked_at AS "linkedAt" FROM linked_providers
  WHERE user_id = $1 ORDER BY provider`;

const SESSIONS = `
  SELECT id, created_at AS "createdAt", last_used_at AS "lastUsedAt", ip, user_agent AS "userAgent"
    FROM sessions WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2 ORDER BY id DESC LIMIT 100`;

const MEMBERSHIPS = `
  SELECT tenant_id AS "tenantId", tenant_name AS "tenantName", role, joined_at AS "joinedAt" FROM memberships_of($1)
    ORDER BY id LIMIT 100`;

@QueryHandler(GetUser)
export class GetUserHandler implements IQueryHandler<GetUser> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ userId }: GetUser) {
    const [[user], providers, sessions, memberships] = await Promise.all([
      this.database.read<AdminUser & { hasPassword: boolean }>(USER, [userId]),
      this.database.read<LinkedProviderView>(LINKS, [userId]),
      this.database.read<AdminSessionView>(SESSIONS, [userId, this.clock.now()]),
      this.database.read<AdminMembershipView>(MEMBERSHIPS, [userId]),
    ]);
    if (!user) return err(PlatformFailures.notFound);
    return ok({ ...user, isAdmin: isAdmin(user, this.settings.adminEmails), providers, sessions, memberships });
  }
}
