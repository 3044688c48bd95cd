import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import type { PageRequest } from '../../platform/pagination';

const DEFAULT_LIMIT = 20;

/** The query parameters of a list. */
export class PageQuery implements PageRequest {
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
