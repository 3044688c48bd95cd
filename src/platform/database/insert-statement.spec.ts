import { Column, Entity, PrimaryColumn } from 'typeorm';
import { insertOf } from './insert-statement';

@Entity('parcels')
class Parcel {
  @PrimaryColumn('uuid') readonly id!: string;
  @Column('text', { array: true }) readonly stops!: string[];
  @Column('jsonb', { nullable: true }) readonly content!: object | null;
  /** Computed by the database. */
  @Column({ type: 'text', select: false, insert: false, update: false }) readonly words!: string;

  static of(id: string, stops: string[], content: object | null): Parcel {
    return Object.assign(new Parcel(), { id, stops, content });
  }
}

describe('insertOf', () => {
  it('lists the columns, a placeholder for each, and the parameters in the same order', () => {
    const { into, columns, values, parameters, next } = insertOf(Parcel);
    expect(columns).toBe('"id", "stops", "content"');
    expect(into).toBe('"parcels" ("id", "stops", "content")');
    expect(values).toBe('$1, $2, $3');
    expect(next).toBe(4);
    expect(parameters(Parcel.of('1', ['a'], null))).toEqual(['1', ['a'], null]);
  });

  it('continues the placeholders of another one and leaves columns to the statement', () => {
    const { into, values, parameters, next } = insertOf(Parcel, { first: 5, except: ['stops'] });
    expect({ into, values, next }).toEqual({ into: '"parcels" ("id", "content")', values: '$5, $6', next: 7 });
    expect(parameters(Parcel.of('1', [], null))).toEqual(['1', null]);
  });

  it('sends JSON as text, because pg would send a list as an array of PostgreSQL', () => {
    expect(insertOf(Parcel).parameters(Parcel.of('1', [], ['a', { b: 1 }]))).toEqual(['1', [], '["a",{"b":1}]']);
  });

  it('refuses an incomplete entity, which would be stored as NULL', () => {
    const incomplete = Object.assign(new Parcel(), { id: '1', stops: [] });
    expect(() => insertOf(Parcel).parameters(incomplete)).toThrow('Parcel has no value for content');
  });
});
