import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

const DEFAULT_LIMIT = 20;

/** The query parameters of a list. */
export class PageQuery {
  @IsOptional()
  @Type(() => Number)
  @Max(100, { message: 'must be at most 100' })
  @Min(1, { message: 'must be at least 1' })
  @IsInt({ message: 'must be a whole number' }) // checked first: decorators apply bottom-up
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 100, default: DEFAULT_LIMIT })
  limit: number = DEFAULT_LIMIT;

  @IsOptional()
  @Matches(/^[A-Za-z0-9_-]{22}$/, { message: 'must be a cursor from an earlier response' })
  @ApiPropertyOptional({ type: String, description: '`nextCursor` of the previous page' })
  cursor?: string;
}

/** A page of a list; `nextCursor` is null on the last page. */
export interface Page<T> {
  readonly items: T[];
  readonly nextCursor: string | null;
}

/**
 * Builds a page from rows ordered by id, newest first. Ids are UUID version 7 and grow with time,
 * so the cursor is the last id: rows added meanwhile neither shift nor repeat others.
 * @param rows up to limit + 1 rows, selected with `id < afterId`
 */
export function pageOf<T extends { id: string }>(rows: T[], limit: number): Page<T> {
  const items = rows.slice(0, limit);
  return { items, nextCursor: rows.length > limit ? cursorOf(items[items.length - 1].id) : null };
}

/** The id in a cursor, or null for the first page. */
export function idOf(cursor: string | undefined): string | null {
  if (!cursor) return null;
  const hex = Buffer.from(cursor, 'base64url').toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const cursorOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
