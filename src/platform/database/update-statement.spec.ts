import { Column, Entity, PrimaryColumn } from 'typeorm';
import { updateOf } from './update-statement';

@Entity('crates')
class Crate {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'timestamptz', update: false }) readonly createdAt!: Date;
  @Column('text', { name: 'tag', nullable: true }) label!: string | null;
  @Column('jsonb') content!: string[];

  static of(values: Partial<Crate>): Crate {
    return Object.assign(new Crate(), { tenantId: 't', id: 'i', createdAt: new Date(0), ...values });
  }
}

describe('updateOf', () => {
  const { sql, parameters } = updateOf(Crate);

  it('sets the mutable columns of the row with the key of the entity', () => {
    expect(sql).toBe('UPDATE "crates" SET "tag" = $1, "content" = $2 WHERE "tenant_id" = $3 AND "id" = $4');
  });

  it('takes the parameters from the entity, JSON as text', () => {
    expect(parameters(Crate.of({ label: null, content: ['a'] }))).toEqual([null, '["a"]', 't', 'i']);
  });

  it('refuses an incomplete entity, which would be stored as NULL', () => {
    expect(() => parameters(Crate.of({ label: 'a' }))).toThrow('Crate has no value for content');
  });
});
