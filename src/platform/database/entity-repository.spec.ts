import { Column, Entity, PrimaryColumn } from 'typeorm';
import { EntityRepository } from './entity-repository';
import type { UnitOfWork } from './unit-of-work';

@Entity('seals')
class Seal {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column('text') color!: string;
  @Column({ type: 'text', update: false }) readonly owner!: string;
  @Column('timestamptz', { name: 'broken_at' }) brokenAt!: Date;

  static of(color: string): Seal {
    return Object.assign(new Seal(), { tenantId: 't', id: 's', color, owner: 'o', brokenAt: new Date(0) });
  }
}

class SealRepository extends EntityRepository<Seal> {
  constructor(unitOfWork: UnitOfWork) {
    super(Seal, unitOfWork);
  }

  save = (seal: Seal) => this.update(seal);
  remove = (seal: Seal) => this.delete(seal);
  purge = (until: Date) => this.deleteUpTo('brokenAt', until, 10);
}

/** What a repository sends, and what TypeORM would answer. */
function recorded(affected: number) {
  const sent: unknown[] = [];
  const answer =
    (method: string) =>
    (...parameters: unknown[]) => {
      sent.push([method, ...parameters]);
      return Promise.resolve({ affected });
    };
  const rows = { update: answer('update'), delete: answer('delete') };
  const query = (sql: string, parameters: unknown[]) => {
    sent.push(['query', sql, parameters]);
    return Promise.resolve(Array.from({ length: affected }, () => ({})));
  };
  const unitOfWork = { manager: { getRepository: () => rows }, query } as unknown as UnitOfWork;
  return { repository: new SealRepository(unitOfWork), sent };
}

describe('EntityRepository', () => {
  it('stores the mutable columns with one UPDATE by the key', async () => {
    const { repository, sent } = recorded(1);
    await repository.save(Seal.of('red'));
    expect(sent).toEqual([['update', { tenantId: 't', id: 's' }, { color: 'red', brokenAt: new Date(0) }]]);
  });

  it('deletes by the key and tells whether the row was there', async () => {
    const { repository, sent } = recorded(1);
    expect(await repository.remove(Seal.of('red'))).toBe(true);
    expect(sent).toEqual([['delete', { tenantId: 't', id: 's' }]]);
    expect(await recorded(0).repository.remove(Seal.of('red'))).toBe(false);
  });

  it('purges a limited number of rows by one column', async () => {
    const { repository, sent } = recorded(3);
    expect(await repository.purge(new Date(5))).toBe(3);
    expect(sent).toEqual([
      [
        'query',
        'DELETE FROM "seals" WHERE ("tenant_id", "id") IN (SELECT "tenant_id", "id" FROM "seals"' +
          ' WHERE "broken_at" <= $1 ORDER BY "broken_at" LIMIT $2) RETURNING "tenant_id", "id"',
        [new Date(5), 10],
      ],
    ]);
  });
});
