import { Column, Entity, PrimaryColumn } from 'typeorm';
import { updatesOf } from './update-statement';

@Entity('crates')
class Crate {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'timestamptz', update: false }) readonly createdAt!: Date;
  @Column('text', { name: 'tag', nullable: true }) label!: string | null;
  @Column('jsonb') content!: string[];
  /** The database assigns it to a new row. */
  @Column({ type: 'integer', insert: false }) place!: number;

  static of(values: Partial<Crate>): Crate {
    return Object.assign(new Crate(), { tenantId: 't', id: 'i', createdAt: new Date(0), place: 1, ...values });
  }
}

describe('updatesOf', () => {
  const { sql, parameters } = updatesOf(Crate).one;

  it('sets the mutable columns of the row with the key of the entity', () => {
    expect(sql).toBe(
      'UPDATE "crates" SET "tag" = $1, "content" = $2, "place" = $3 WHERE "tenant_id" = $4 AND "id" = $5',
    );
  });

  it('takes the parameters from the entity, JSON as text', () => {
    expect(parameters(Crate.of({ label: null, content: ['a'] }))).toEqual([null, '["a"]', 1, 't', 'i']);
  });

  it('refuses an incomplete entity, which would be stored as NULL', () => {
    expect(() => parameters(Crate.of({ label: 'a' }))).toThrow('Crate has no value for content');
  });

  it('stores several entities with one statement, but no column that new rows lack', () => {
    const { several } = updatesOf(Crate);
    expect(several.sql).toBe(
      'UPDATE "crates" r SET "tag" = g."tag", "content" = g."content" ' +
        'FROM jsonb_populate_recordset(NULL::"crates", $1::jsonb) g ' +
        'WHERE r."tenant_id" = g."tenant_id" AND r."id" = g."id"',
    );
    const [crates] = several.parameters([Crate.of({ label: 'a', content: [] })]);
    expect(JSON.parse(crates as string)).toMatchObject([{ id: 'i', tag: 'a', content: [] }]);
  });

  it('leaves out columns that have statements of their own', () => {
    const { one, several } = updatesOf(Crate, { except: ['label'] });
    expect(one.sql).toBe('UPDATE "crates" SET "content" = $1, "place" = $2 WHERE "tenant_id" = $3 AND "id" = $4');
    expect(several.sql).not.toContain('"tag"');
  });

  it('sets only what differs from the stored state, if anything does', () => {
    const { ofChanges } = updatesOf(Crate);
    const stored = Crate.of({ label: 'a', content: ['x'] });
    expect(ofChanges(stored, Crate.of({ label: 'a', content: ['x'] }))).toBeUndefined();
    const changed = Crate.of({ label: 'b', content: ['x'], place: 2 });
    const update = ofChanges(stored, changed)!;
    expect(update.sql).toBe('UPDATE "crates" SET "tag" = $1, "place" = $2 WHERE "tenant_id" = $3 AND "id" = $4');
    expect(update.parameters(changed)).toEqual(['b', 2, 't', 'i']);
  });
});
