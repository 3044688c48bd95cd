import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { idOf, pageOf, type Page, type PageRequest } from '../../platform/pagination';
import { Clock } from '../../platform/clock';
import { Database } from '../../platform/database/database';
import { columns, select } from '../../platform/database/select-list';
import { ok, type Result } from '../../platform/result';
import { Session } from '../domain/session';
import type { SessionView } from '../http/views/session.views';

const COLUMNS = select<SessionView>()({
  ...columns(Session, 's', ['id', 'createdAt', 'lastUsedAt', 'ip', 'userAgent']),
  current: 's.id IS NOT DISTINCT FROM (SELECT session_id FROM refresh_tokens WHERE id = $3)',
});

/** The caller's live sessions, newest first. */
export class ListSessions extends Query<Result<Page<SessionView>>> {
  constructor(
    readonly actor: Actor,
    readonly page: PageRequest,
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
      `SELECT ${COLUMNS}
         FROM sessions s
        WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND ($4::uuid IS NULL OR id < $4)
        ORDER BY id DESC LIMIT $5`,
      [actor.userId, this.clock.now(), actor.tokenId, idOf(page.cursor), page.limit + 1],
    );
    return ok(pageOf(rows, page.limit));
  }
}
