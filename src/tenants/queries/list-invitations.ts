import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { idBefore, pageOf, type Page, type PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { columns, select } from '../../platform/database/select-list';
import { Invitation } from '../domain/invitation';
import { ok, type Result } from '../../platform/result';
import type { InvitationView } from '../http/views/tenants.views';

const INVITATION = select<InvitationView>()({
  ...columns(Invitation, 'i', ['id', 'email', 'roleId', 'invitedBy', 'createdAt', 'expiresAt']),
  role: 'r.name',
});

/** Lists the pending and the expired invitations of the active tenant, newest first. */
export class ListInvitations extends Query<Result<Page<InvitationView>>> {
  constructor(
    readonly actor: TenantActor,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListInvitations)
export class ListInvitationsHandler implements IQueryHandler<ListInvitations> {
  constructor(private readonly database: Database) {}

  async execute({ actor, page }: ListInvitations): Promise<Result<Page<InvitationView>>> {
    const rows = await this.database.readInTenant<InvitationView>(
      actor,
      `SELECT ${INVITATION}
         FROM (SELECT * FROM invitations WHERE tenant_id = $1 AND id < $2 ORDER BY id DESC
           LIMIT $3) i
         JOIN roles r ON r.tenant_id = i.tenant_id AND r.id = i.role_id
        ORDER BY i.id DESC`,
      [actor.tenantId, idBefore(page.cursor), page.limit + 1],
    );
    return ok(pageOf(rows, page.limit));
  }
}
