import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { DayField, MomentField, OptionalDayField } from './moment-field.decorators';
import { IntegerField, NumberField } from './number-field.decorators';
import { NullableField } from './optional.decorators';

class Body {
  @IntegerField(0, 9) integer: number = 0;
  @NumberField() number: number = 0;
  @MomentField() moment: Date = new Date(0);
  @DayField() day: string = '1970-01-01';
  @OptionalDayField() optional?: string;
  @NullableField(IntegerField(0, 9)) nullable?: number | null;
}

const VALID = { integer: 1, number: 1.5, moment: '2026-01-31T09:30:00+01:00', day: '2026-01-31' };
const refusedFields = (changes: object) =>
  validateSync(plainToInstance(Body, { ...VALID, ...changes })).map(({ property }) => property);

describe('fields of bodies', () => {
  it.each([
    { integer: 0 },
    { integer: 9 },
    { number: -1e300 },
    { day: '2024-02-29' },
    { day: '1969-12-31' },
    { optional: '2026-01-31' },
    { optional: undefined },
    { nullable: 9 },
    { nullable: null },
    { nullable: undefined },
  ])('accept %j', (changes) => expect(refusedFields(changes)).toEqual([]));

  it.each([
    ['integer', 10],
    ['integer', -1],
    ['integer', 1.5],
    ['integer', '1'],
    ['integer', null],
    ['number', '1.5'],
    ['number', Number.POSITIVE_INFINITY],
    ['moment', '2026-01-31'],
    ['moment', '2026-02-30T00:00:00Z'],
    ['moment', '1969-12-31T23:59:59Z'],
    ['moment', 0],
    ['moment', null],
    ['day', '2026-02-29'],
    ['day', '2026-1-31'],
    ['day', '2026-01-31T00:00:00Z'],
    ['day', 20260131],
    ['optional', null],
    ['nullable', 10],
    ['nullable', '1'],
  ])('refuse a field %s with the value %j', (field, value) =>
    expect(refusedFields({ [field]: value })).toEqual([field]),
  );

  it('turn a moment into a time', () =>
    expect(plainToInstance(Body, VALID).moment).toEqual(new Date('2026-01-31T08:30:00Z')));
});
