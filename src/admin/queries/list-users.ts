import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import type { Page, PageQuery } from '../../edge/page';
import { Database } from '../../platform/database';
import { ok, type Result } from '../../platform/result';
import { isAdmin } from '../../users/users.contract';
import type { AdminUserView } from '../admin.views';
import { idSearch, literally, searchPage, type Condition } from '../search';

/** Accounts, newest first; with a search those in whose address or name each of its words occurs, or the one with this id. */
export class ListUsers extends Query<Result<Page<AdminUserView>>> {
  constructor(
    readonly search: string | undefined,
    readonly page: PageQuery,
  ) {
    super();
  }
}

/** The columns of an AdminUserView, with `isAdmin` as it is granted to the account. */
export const ADMIN_USER_COLUMNS = `r.id, r.email, r.name, r.is_email_verified AS "isEmailVerified", r.picture_url AS "pictureUrl", r.is_admin AS "isAdmin",
  r.created_at AS "createdAt", r.disabled_at AS "disabledAt"`;

@QueryHandler(ListUsers)
export class ListUsersHandler implements IQueryHandler<ListUsers> {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ search, page }: ListUsers): Promise<Result<Page<AdminUserView>>> {
    const read = (sql: string, parameters: unknown[]) => this.database.read<AdminUserView>(sql, parameters);
    const condition = search ? (idSearch(search) ?? wordSearch(search)) : undefined;
    const view = (rows: string) => `SELECT ${ADMIN_USER_COLUMNS} FROM (${rows}) r ORDER BY r.id DESC`;
    const { items, nextCursor } = await searchPage(read, 'users', condition, view, page);
    return ok({ items: items.map((user) => ({ ...user, isAdmin: isAdmin(user, this.settings.adminEmails) })), nextCursor });
  }
}

/** As the index has it (users_search_idx). */
const SEARCHED = `lower(r.email || ' ' || r.name)`;
/** Of how many letters the index is made. */
const TRIGRAM = 3;
/** Shorter parts are looked for at the beginning: of all, of a word of the name, of the domain, of a part of the address. */
const BEGINNINGS = ['', '% ', '%@', '%.'];

/** The database lowers what is searched as it lowers what is indexed. */
function wordSearch(text: string): Condition {
  const words = text.split(/\s+/);
  const conditions = words.map((word, index) => {
    const like = (before: string) => `${SEARCHED} LIKE '${before}' || lower($${index + 3}::text) || '%'`;
    return [...word].length >= TRIGRAM ? like('%') : `(${BEGINNINGS.map(like).join(' OR ')})`;
  });
  return { sql: conditions.join(' AND '), parameters: words.map(literally) };
}
