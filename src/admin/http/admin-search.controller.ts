import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { AdminOnly } from '../../http/access/access.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { TextField } from '../../http/validation/text-field.decorators';
import { ListMatches } from '../queries/list-matches';
import { RecordedView } from './recorded-view.interceptor';
import { MatchView } from './views/search.views';

class SearchText {
  @Matches(/^\S+(\s+\S+){0,4}$/, { message: 'must contain at most 5 words' })
  @TextField(2, 100, 'ada')
  q!: string;
}

/** The search over all records, for operators. */
@ApiTags('admin')
@Controller('admin/search')
@AdminOnly()
export class AdminSearchController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @RecordedView('search', SearchText)
  @Responds({
    summary: 'Search all records',
    description:
      'Users by email or name, tenants by name, and by id: users, tenants, sessions, webhook events, jobs, Stripe ' +
      'customers, subscriptions and events. At most 5 per kind.',
    data: MatchView,
    list: true,
  })
  search(@Query() { q }: SearchText) {
    return this.queries.execute(new ListMatches(q));
  }
}
