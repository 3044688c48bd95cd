import { Column, Entity, PrimaryColumn } from 'typeorm';
import { entityOf } from './entity-of';

@Entity('stamps')
class Stamp {
  @PrimaryColumn('uuid') readonly id!: string;
  @Column('integer', { nullable: true }) readonly cents!: number | null;
  @Column({ type: 'text', select: false, insert: false, update: false }) readonly words!: string;

  get isFree(): boolean {
    return this.cents === null;
  }
}

describe('entityOf', () => {
  it('makes an instance of the class, with its methods', () => {
    const stamp = entityOf(Stamp, { id: '1', cents: null });
    expect(stamp).toBeInstanceOf(Stamp);
    expect(stamp).toEqual({ id: '1', cents: null });
    expect(stamp.isFree).toBe(true);
  });

  it('leaves out columns that are not the entity’s', () => {
    expect(entityOf(Stamp, { id: '1', cents: 5, hasLetter: true })).toEqual({ id: '1', cents: 5 });
  });

  it('refuses a row that lacks a column', () => {
    expect(() => entityOf(Stamp, { id: '1' })).toThrow('A row of Stamp lacks cents');
  });
});
