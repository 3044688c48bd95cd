import { Column, Entity, PrimaryColumn } from 'typeorm';
import { recordsOf } from './entity-records';

@Entity('letters')
class Letter {
  @PrimaryColumn('uuid') readonly id!: string;
  @Column('timestamptz', { name: 'sent' }) readonly sentAt!: Date;
  @Column('jsonb', { nullable: true }) readonly content!: unknown;

  static of(id: string, sentAt: Date, content: unknown): Letter {
    return Object.assign(new Letter(), { id, sentAt, content });
  }
}

describe('recordsOf', () => {
  it('lists the columns and reads the rows of a parameter with the types of the table', () => {
    const { columns, rowsOf } = recordsOf(Letter);
    expect(columns).toBe('"id", "sent", "content"');
    expect(rowsOf('$3')).toBe('jsonb_populate_recordset(NULL::"letters", $3::jsonb)');
  });

  it('names the fields of the parameter like the columns', () => {
    const letter = Letter.of('1', new Date(0), ['a']);
    expect(recordsOf(Letter).parameter([letter])).toBe(
      '[{"id":"1","sent":"1970-01-01T00:00:00.000Z","content":["a"]}]',
    );
  });

  it('leaves columns to the statement', () => {
    const { columns, parameter } = recordsOf(Letter, { except: ['sentAt'] });
    expect(columns).toBe('"id", "content"');
    expect(parameter([Letter.of('1', new Date(0), null)])).toBe('[{"id":"1","content":null}]');
  });

  it('refuses an incomplete entity, which would be stored as NULL', () => {
    const incomplete = Object.assign(new Letter(), { id: '1', sentAt: new Date(0) });
    expect(() => recordsOf(Letter).parameter([incomplete])).toThrow('Letter has no value for content');
  });
});
