import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { idOf, pageOf, type Page, type PageQuery } from '../../http/validation/pagination';
import { Clock } from '../../platform/clock';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import type { SessionView } from '../http/views/session.views';

/** The caller's live sessions, newest first. */
export class ListSessions extends Query<Result<Page<SessionView>>> {
  constructor(
    readonly actor: Actor,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListSessions)
export class ListSessionsHandler implements IQueryHandler<ListSessions> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, page }: ListSessions): Promise<Result<Page<SessionView>>> {
    const rows = await this.database.read<SessionView>(
      `SELECT id, created_at AS "createdAt", last_used_at AS "lastUsedAt", ip, user_agent AS "userAgent",
              id IS NOT DISTINCT FROM (SELECT session_id FROM refresh_tokens WHERE id = $3) AS current
         FROM sessions
        WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND ($4::uuid IS NULL OR id < $4)
        ORDER BY id DESC LIMIT $5`,
      [actor.userId, this.clock.now(), actor.tokenId, idOf(page.cursor), page.limit + 1],
    );
    return ok(pageOf(rows, page.limit));
  }
}
