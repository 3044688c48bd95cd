import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { GetRevenue, RevenueView } from '../../billing/billing.api';
import { AdminOnly } from '../../http/access/access.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';

class RevenueQuery {
  @IsOptional()
  @Type(() => Number)
  @Max(366, { message: 'must be at most 366' })
  @Min(1, { message: 'must be at least 1' })
  @IsInt({ message: 'must be a whole number' }) // checked first: decorators apply bottom-up
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 366, default: 90 })
  days: number = 90;
}

/** What subscriptions pay, over time, for operators (docs/contract.md, Revenue). */
@ApiTags('admin')
@Controller('admin/revenue')
@AdminOnly()
export class AdminRevenueController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Responds({ summary: 'Get revenue by day', data: RevenueView })
  getRevenue(@Query() { days }: RevenueQuery) {
    return this.queries.execute(new GetRevenue(days));
  }
}
