import { Injectable } from '@nestjs/common';
import { EntityReader } from '../../../platform/database/entity-reader';
import { EntityRepository } from '../../../platform/database/entity-repository';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { KnownPrice } from '../domain/known-price';

/** More than a catalogue ever has had; a list without a bound could fill the memory. */
const MOST = 10_000;

/** The prices that were seen as ours, in PostgreSQL. */
@Injectable()
export class KnownPriceRepository extends EntityRepository<KnownPrice> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly reader: EntityReader,
  ) {
    super(KnownPrice, unitOfWork);
  }

  list(): Promise<Pick<KnownPrice, 'priceId' | 'plan' | 'interval' | 'amounts'>[]> {
    const select = ['priceId', 'plan', 'interval', 'amounts'] as const;
    return this.reader.find(KnownPrice, { select, where: {}, order: { priceId: 'ASC' }, limit: MOST, isFresh: true });
  }

  /** Stores those that are not stored: what a price was first seen as stays. */
  async add(prices: readonly KnownPrice[]): Promise<void> {
    await this.rows
      .createQueryBuilder()
      .insert()
      .values([...prices])
      .orIgnore()
      .execute();
  }

  /** Stores prices with their amounts. Of those that are stored, only the amounts change. */
  async addWithAmounts(prices: readonly KnownPrice[]): Promise<void> {
    await this.rows
      .createQueryBuilder()
      .insert()
      .values([...prices])
      .orUpdate(['amounts'], ['price_id'])
      .execute();
  }
}
