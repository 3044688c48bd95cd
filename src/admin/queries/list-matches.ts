import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Session } from '../../auth/auth.api';
import { WebhookEvent } from '../../billing/billing.api';
import { EntityReader } from '../../platform/database/entity-reader';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { isId } from '../../platform/ids';
import type { Page } from '../../platform/pagination';
import { ok, type Result } from '../../platform/result';
import type { MatchView } from '../http/views/search.views';
import { hasIndexedWord } from '../data/user-search';
import { ListAllTenants } from './list-all-tenants';
import { ListJobs } from './list-jobs';
import { ListUsers } from './list-users';

/** Lists the records that a text of up to five words finds, at most 5 of a kind. */
export class ListMatches extends Query<Result<Page<MatchView>>> {
  constructor(readonly text: string) {
    super();
  }
}

/** Most matches of a kind. */
const FEW = { limit: 5 };
const JOB_NUMBER = /^\d{1,18}$/;
const STRIPE_EVENT = /^evt_\w+$/;

@QueryHandler(ListMatches)
export class ListMatchesHandler implements IQueryHandler<ListMatches> {
  constructor(
    private readonly queries: QueryBus,
    private readonly reader: EntityReader,
  ) {}

  /** Each lookup has an index; those that a text cannot match are left out. */
  async execute({ text }: ListMatches): Promise<Result<Page<MatchView>>> {
    const found = await Promise.all([
      hasIndexedWord(text) ? this.users(text) : [],
      this.tenants(text),
      isId(text) ? this.ownerOfSession(text) : [],
      isId(text) ? this.webhookEvents({ id: text }) : [],
      STRIPE_EVENT.test(text) ? this.webhookEvents({ eventId: text }) : [],
      JOB_NUMBER.test(text) ? this.jobs(text) : [],
    ]);
    return ok({ items: found.flat(), nextCursor: null });
  }

  private async users(text: string): Promise<MatchView[]> {
    const users = await this.queries.execute(new ListUsers(text, undefined, FEW));
    return users.ok ? users.value.items.map(({ id, name, email }) => match('user', id, name, email)) : [];
  }

  private async tenants(search: string): Promise<MatchView[]> {
    const tenants = await this.queries.execute(new ListAllTenants({ search }, FEW));
    return tenants.ok ? tenants.value.items.map(({ id, name, owner }) => match('tenant', id, name, owner.email)) : [];
  }

  private async ownerOfSession(id: string): Promise<MatchView[]> {
    const session = await this.reader.findOne(Session, { select: ['userId'], where: { id } });
    const users = session ? await this.users(session.userId) : [];
    return users.map((user) => ({ ...user, detail: `Session of ${user.detail}` }));
  }

  private async webhookEvents(where: { id: string } | { eventId: string }): Promise<MatchView[]> {
    const fields = { scope: EVERY_TENANT, select: ['id', 'type', 'eventId'], where } as const;
    const event = await this.reader.findOne(WebhookEvent, fields);
    return event ? [match('webhook-event', event.id, event.type, event.eventId)] : [];
  }

  private async jobs(number: string): Promise<MatchView[]> {
    const jobs = await this.queries.execute(new ListJobs({ id: number }, { limit: 1 }));
    return jobs.ok ? jobs.value.items.map(({ id, task }) => match('job', id, task, `Job ${id}`)) : [];
  }
}

const match = (kind: MatchView['kind'], id: string, title: string, detail: string): MatchView => ({
  kind,
  id,
  title,
  detail,
});
