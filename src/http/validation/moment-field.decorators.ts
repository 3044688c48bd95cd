import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDate, ValidateBy } from 'class-validator';
import { IfGiven, optional } from './optional.decorators';
import { field } from './typed-decorators';

/** ISO 8601 with an offset. The year has four digits, so that the time fits into an id. */
const MOMENT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Whether a day such as 2026-01-31 is in the calendar. */
const isDay = (day: string): boolean =>
  !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().slice(0, 10) === day;

/** Undefined for an invalid date or one before 1970, where the times of ids begin. */
function momentOf(value: unknown): Date | undefined {
  const day = typeof value === 'string' ? MOMENT.exec(value)?.[1] : undefined;
  const moment = new Date(value as string);
  return day !== undefined && isDay(day) && moment.getTime() >= 0 ? moment : undefined;
}

/** A time in a body, as ISO 8601 with an offset. */
export const MomentField = (example = '2026-01-31T09:30:00.000Z') =>
  field<Date>(
    Transform(({ value }: { value: unknown }) => momentOf(value) ?? value),
    IsDate({ message: 'must be a time such as 2026-01-31T23:59:59Z' }),
    ApiProperty({ type: String, format: 'date-time', example }),
  );

/** The same, optional: an absent field changes nothing. Null is refused. */
export const OptionalMomentField = (example?: string) => optional(MomentField(example));

/** A day in a body, as ISO 8601. It is a text, because it begins at another time in each zone. */
export const DayField = (example = '2026-01-31') =>
  field<string>(
    ValidateBy(
      {
        name: 'isDay',
        validator: { validate: (value) => typeof value === 'string' && DAY.test(value) && isDay(value) },
      },
      { message: 'must be a day such as 2026-01-31' },
    ),
    ApiProperty({ type: String, format: 'date', example }),
  );

/** The same, optional: an absent field changes nothing. Null is refused. */
export const OptionalDayField = (example?: string) => optional(DayField(example));

/** An optional time in a query string, as ISO 8601 with an offset. */
export const OptionalMomentParameter = (description: string) =>
  field<Date | undefined>(
    IfGiven(),
    Transform(({ value }: { value: unknown }) => momentOf(value) ?? value),
    IsDate({ message: 'must be a time such as 2026-01-31T23:59:59Z' }),
    ApiPropertyOptional({ type: String, format: 'date-time', description }),
  );
