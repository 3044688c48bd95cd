import { Column, Entity, PrimaryColumn } from 'typeorm';
import { columns, columnsOf, isoTime, select, selectJson } from './select-list';

@Entity('letters')
class Letter {
  @PrimaryColumn('uuid') readonly id!: string;
  @Column('text') readonly returnAddress!: string;
  @Column('text', { name: 'told_at' }) readonly notifiedAt!: string;
  /** Computed by the database, for search only. */
  @Column({ type: 'text', select: false, insert: false, update: false }) readonly words!: string;

  get isLocal(): boolean {
    return this.returnAddress === '';
  }

  send(): void {}
}

abstract class Numbered {
  @PrimaryColumn('integer') readonly number!: number;
}

@Entity('invoices')
class Invoice extends Numbered {
  @Column('integer') readonly cents!: number;
}

interface LetterView {
  readonly id: string;
  readonly from: string;
  readonly copies?: number;
}

interface SentLetterView {
  readonly id: string;
  readonly sentAt: Date | null;
}

class NoEntity {}

describe('columnsOf', () => {
  it('names every column that is selected after its property, in the order of their declaration', () => {
    expect(columnsOf(Letter, 'l')).toBe(
      'l."id" AS "id", l."return_address" AS "returnAddress", l."told_at" AS "notifiedAt"',
    );
  });

  it('names the columns of a class that the entity extends, too', () => {
    expect(columnsOf(Invoice, 'i')).toBe('i."number" AS "number", i."cents" AS "cents"');
  });

  it('leaves columns out, or names only some', () => {
    expect(columnsOf(Letter, 'l', { except: ['returnAddress', 'notifiedAt'] })).toBe('l."id" AS "id"');
    expect(columnsOf(Letter, 'l', { only: ['notifiedAt', 'id'] })).toBe('l."id" AS "id", l."told_at" AS "notifiedAt"');
  });

  it('refuses what is not a column, and what is no entity', () => {
    expect(() => columnsOf(Letter, 'l', { only: ['isLocal'] })).toThrow('Letter has no column isLocal');
    expect(() => columnsOf(NoEntity, 'n')).toThrow('NoEntity is not an entity');
    // @ts-expect-error: a method is no column
    expect(() => columnsOf(Letter, 'l', { only: ['send'] })).toThrow('Letter has no column send');
    // @ts-expect-error: nor is an unknown name
    expect(() => columnsOf(Letter, 'l', { except: ['nothing'] })).toThrow('Letter has no column nothing');
  });
});

describe('select', () => {
  it('lists an expression for each field of the view', () => {
    expect(select<LetterView>()({ id: 'l.id', from: "coalesce(l.return_address, '')", copies: 'count(*)::int' })).toBe(
      `l.id AS "id", coalesce(l.return_address, '') AS "from", count(*)::int AS "copies"`,
    );
  });

  it('takes the columns of an entity beside other expressions', () => {
    type Both = Pick<Letter, 'id' | 'notifiedAt'> & { readonly page: number };
    expect(select<Both>()({ ...columns(Letter, 'l', ['id', 'notifiedAt']), page: '1' })).toBe(
      'l."id" AS "id", l."told_at" AS "notifiedAt", 1 AS "page"',
    );
  });

  it('does not compile if a field is missing, optional or not, or if there is one more', () => {
    // @ts-expect-error: `from` is missing
    select<LetterView>()({ id: 'l.id', copies: '1' });
    // @ts-expect-error: `copies` is missing, although the view may lack it
    select<LetterView>()({ id: 'l.id', from: 'l.return_address' });
    // @ts-expect-error: the view has no `to`
    select<LetterView>()({ id: 'l.id', from: 'l.return_address', copies: '1', to: 'l.to' });
    // @ts-expect-error: `from` is missing beside the columns of an entity
    select<LetterView>()({ ...columns(Letter, 'l', ['id']), copies: '1' });
    expect.assertions(0);
  });
});

describe('selectJson', () => {
  it('writes an object with a field for each expression', () => {
    expect(selectJson<SentLetterView>()({ id: 'l.id', sentAt: isoTime('l.sent_at') })).toBe(
      'row_to_json((SELECT json_fields FROM (SELECT l.id AS "id", ' +
        `to_char(l.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "sentAt") json_fields))::text`,
    );
  });

  it('does not compile if a field is missing, or if a time is not written by isoTime', () => {
    // @ts-expect-error: `sentAt` is missing
    selectJson<SentLetterView>()({ id: 'l.id' });
    // @ts-expect-error: PostgreSQL would write it with an offset
    selectJson<SentLetterView>()({ id: 'l.id', sentAt: 'l.sent_at' });
    expect.assertions(0);
  });
});
