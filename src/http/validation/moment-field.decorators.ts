import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDate } from 'class-validator';
import { IfGiven } from './optional.decorators';
import { field } from './typed-decorators';

/** ISO 8601 with an offset. The year has four digits, so that the time fits into an id. */
const MOMENT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Undefined for an invalid date or one before 1970, where the times of ids begin. */
function momentOf(value: unknown): Date | undefined {
  const day = typeof value === 'string' ? MOMENT.exec(value)?.[1] : undefined;
  if (!day || Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day) return undefined;
  const moment = new Date(value as string);
  return moment.getTime() >= 0 ? moment : undefined;
}

/** An optional time in a query string, as ISO 8601 with an offset. */
export const OptionalMomentParameter = (description: string) =>
  field<Date | undefined>(
    IfGiven(),
    Transform(({ value }: { value: unknown }) => momentOf(value) ?? value),
    IsDate({ message: 'must be a time such as 2026-01-31T23:59:59Z' }),
    ApiPropertyOptional({ type: String, format: 'date-time', description }),
  );
