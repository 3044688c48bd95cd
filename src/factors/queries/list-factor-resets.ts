import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { In } from 'typeorm';
import { EntityReader, withoutUndefined } from '../../platform/database/entity-reader';
import type { Page, PageRequest } from '../../platform/pagination';
import { ok, type Result } from '../../platform/result';
import { FACTOR_RESET_COLUMNS, withDeadlines } from '../data/factor-reset.columns';
import { FactorReset, type FactorResetFilter, type FactorResetState } from '../domain/factor-reset';
import type { FactorResetView } from '../http/views/factor-resets.views';

const OPEN: FactorResetState[] = ['requested', 'approved'];

/** Lists requests to reset a second factor, newest first. */
export class ListFactorResets extends Query<Result<Page<FactorResetView>>> {
  constructor(
    readonly state: FactorResetFilter | undefined,
    readonly userId: string | undefined,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListFactorResets)
export class ListFactorResetsHandler implements IQueryHandler<ListFactorResets> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ state, userId, page }: ListFactorResets): Promise<Result<Page<FactorResetView>>> {
    const where = withoutUndefined({ userId, state: state === 'open' ? In(OPEN) : state });
    const { items, nextCursor } = await this.reader.findPage(
      FactorReset,
      { select: FACTOR_RESET_COLUMNS, where },
      page,
    );
    return ok({ items: items.map(withDeadlines), nextCursor });
  }
}
