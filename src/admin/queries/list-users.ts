import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import type { Page, PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { columnsOf } from '../../platform/database/select-list';
import { ok, type Result } from '../../platform/result';
import { isAdmin, User } from '../../users/users.api';
import type { AdminUserView } from '../http/views/user.views';
import { ADMIN_USER_COLUMNS, type AdminUser, type LastSignInFields } from '../data/user.columns';
import { idSearch, searchPage, type Condition } from '../data/search-page';
import { wordSearch } from '../data/user-search';

/** The states by which users can be filtered; `admin` as in `isAdmin`. */
export const USER_STATES = ['admin', 'disabled', 'unverified'] as const;
export type UserState = (typeof USER_STATES)[number];

/**
 * Lists users, newest first, optionally in a state, and optionally those whose email or name
 * contains each word of a search, or the user with a given id.
 */
export class ListUsers extends Query<Result<Page<AdminUserView>>> {
  constructor(
    readonly search: string | undefined,
    readonly state: UserState | undefined,
    readonly page: PageRequest,
  ) {
    super();
  }
}

/** Each last sign-in is looked up by its key, as the page is read in the order of its ids. */
const selectUsers = (rows: string) => `
  SELECT ${columnsOf(User, 'r', { only: ADMIN_USER_COLUMNS })},
         l.at AS "lastSignInAt", l.method AS "lastSignInMethod"
    FROM (${rows}) r
    LEFT JOIN LATERAL (SELECT at, method FROM last_sign_ins WHERE user_id = r.id LIMIT 1) l ON true
   ORDER BY r.id DESC`;

@QueryHandler(ListUsers)
export class ListUsersHandler implements IQueryHandler<ListUsers> {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ search, state, page }: ListUsers): Promise<Result<Page<AdminUserView>>> {
    const read = (rows: string, parameters: unknown[]) =>
      this.database.read<AdminUser & LastSignInFields>(selectUsers(rows), parameters);
    const searched = search ? (idSearch(search) ?? wordSearch(search)) : undefined;
    const condition = state === 'admin' ? andAdmin(searched, this.settings.adminEmails) : searched;
    const { items, nextCursor } = await searchPage(read, among(state), condition, page);
    return ok({
      items: items.map((user) => ({ ...user, isAdmin: isAdmin(user, this.settings.adminEmails) })),
      nextCursor,
    });
  }
}

/** The source of users in a state. Each state has an index in the order of the list. */
function among(state: UserState | undefined): string {
  if (state === 'disabled') return '(SELECT * FROM users WHERE disabled_at IS NOT NULL)';
  if (state === 'unverified') return '(SELECT * FROM users WHERE NOT is_email_verified)';
  return 'users';
}

/** The SQL equivalent of `isAdmin`. Admins are few, and found by two indexes. */
function andAdmin(condition: Condition | undefined, adminEmails: ReadonlySet<string>): Condition {
  const { sql, parameters } = condition ?? { sql: 'true', parameters: [] };
  const admin = `r.is_email_verified AND (r.is_admin OR r.email = ANY($${parameters.length + 3}::text[]))`;
  return { sql: `${sql} AND ${admin}`, parameters: [...parameters, [...adminEmails]] };
}
