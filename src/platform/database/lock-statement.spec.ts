import { Column, Entity, PrimaryColumn } from 'typeorm';
import { lockOf } from './lock-statement';

@Entity('loans')
class Loan {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column('timestamptz', { nullable: true }) readonly returnedAt!: Date | null;
}

const COLUMNS = '"loans"."tenant_id" AS "tenantId", "loans"."id" AS "id", "loans"."returned_at" AS "returnedAt"';

describe('The statement that locks an entity', () => {
  it('selects it by the given columns, whatever their order', () => {
    const sql = `SELECT ${COLUMNS} FROM "loans" WHERE "tenant_id" = $1 AND "id" = $2 LIMIT 1 FOR UPDATE`;
    expect(lockOf(Loan, { id: 'b', tenantId: 'a' }, 'UPDATE')).toEqual({ sql, parameters: ['a', 'b'] });
  });

  it('compares null as null, without a parameter', () => {
    const sql = `SELECT ${COLUMNS} FROM "loans" WHERE "id" = $1 AND "returned_at" IS NULL LIMIT 1 FOR SHARE`;
    expect(lockOf(Loan, { id: 'b', returnedAt: null }, 'SHARE')).toEqual({ sql, parameters: ['b'] });
  });

  it('is refused without a value, because it would lock any row', () => {
    expect(() => lockOf(Loan, { id: undefined }, 'UPDATE')).toThrow('has no value for id');
    expect(() => lockOf(Loan, {}, 'UPDATE')).toThrow('No column of Loan is given');
  });
});
