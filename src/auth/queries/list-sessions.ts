import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { IsNull, MoreThan } from 'typeorm';
import type { Actor } from '../../http/access/actor';
import type { Page, PageRequest } from '../../platform/pagination';
import { Clock } from '../../platform/clock';
import { EntityReader } from '../../platform/database/entity-reader';
import { ok, type Result } from '../../platform/result';
import { RefreshToken, Session } from '../domain/session';
import type { SessionView } from '../http/views/session.views';

const COLUMNS = ['id', 'createdAt', 'lastUsedAt', 'ip', 'userAgent'] as const;

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
    private readonly reader: EntityReader,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, page }: ListSessions): Promise<Result<Page<SessionView>>> {
    const live = { userId: actor.userId, revokedAt: IsNull(), expiresAt: MoreThan(this.clock.now()) };
    const [{ items, nextCursor }, token] = await Promise.all([
      this.reader.findPage(Session, { select: COLUMNS, where: live }, page),
      this.reader.findOne(RefreshToken, { select: ['sessionId'], where: { id: actor.tokenId } }),
    ]);
    const viewOf = (session: (typeof items)[number]) => ({ ...session, current: session.id === token?.sessionId });
    return ok({ items: items.map(viewOf), nextCursor });
  }
}
