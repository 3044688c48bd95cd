import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import type { Page, PageRequest } from '../../platform/pagination';
import { computed, EntityReader } from '../../platform/database/entity-reader';
import { Invitation } from '../domain/invitation';
import { Role } from '../domain/role';
import { ok, type Result } from '../../platform/result';
import type { InvitationView } from '../http/views/tenants.views';

/** Lists the pending and the expired invitations of the active tenant, newest first. */
export class ListInvitations extends Query<Result<Page<InvitationView>>> {
  constructor(
    readonly actor: TenantActor,
    readonly page: PageRequest,
  ) {
    super();
  }
}

/** The name of the role that an invitation offers. */
const role = computed<string>((query) =>
  query.select('role.name').from(Role, 'role').where('role.tenantId = r.tenantId AND role.id = r.roleId'),
);

@QueryHandler(ListInvitations)
export class ListInvitationsHandler implements IQueryHandler<ListInvitations> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ actor, page }: ListInvitations): Promise<Result<Page<InvitationView>>> {
    const rows = {
      scope: actor,
      select: ['id', 'email', 'roleId', 'invitedBy', 'createdAt', 'expiresAt'] as const,
      computed: { role },
      where: { tenantId: actor.tenantId },
    };
    return ok(await this.reader.findPage(Invitation, rows, page));
  }
}
