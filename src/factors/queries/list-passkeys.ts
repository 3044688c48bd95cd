import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EntityReader } from '../../platform/database/entity-reader';
import type { Page, PageRequest } from '../../platform/pagination';
import { ok, type Result } from '../../platform/result';
import { PASSKEY_COLUMNS, passkeyView } from '../data/passkey.columns';
import { MAX_PASSKEYS, Passkey } from '../domain/passkey';
import type { PasskeyView } from '../http/views/passkeys.views';

/** Characters of an id that make a cursor. Ids are random and have at least 16 bytes. */
const CURSOR_LENGTH = 22;

/** The caller's passkeys, newest first. */
export class ListPasskeys extends Query<Result<Page<PasskeyView>>> {
  constructor(
    readonly userId: string,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListPasskeys)
export class ListPasskeysHandler implements IQueryHandler<ListPasskeys> {
  constructor(private readonly reader: EntityReader) {}

  /** Reads all, which are few, because their ids do not grow with time. */
  async execute({ userId, page: { cursor, limit } }: ListPasskeys): Promise<Result<Page<PasskeyView>>> {
    const passkeys = await this.reader.find(Passkey, {
      select: PASSKEY_COLUMNS,
      where: { userId },
      order: { createdAt: 'DESC', id: 'DESC' },
      limit: MAX_PASSKEYS,
    });
    const views = passkeys.map(passkeyView);
    const first = cursor === undefined ? 0 : views.findIndex((view) => cursorOf(view) === cursor) + 1;
    const items = views.slice(first, first + limit);
    const isLast = first + limit >= views.length;
    return ok({ items, nextCursor: isLast ? null : cursorOf(items[items.length - 1]) });
  }
}

const cursorOf = ({ id }: PasskeyView) => id.slice(0, CURSOR_LENGTH);
