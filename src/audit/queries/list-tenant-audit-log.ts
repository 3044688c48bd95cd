import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import type { TenantActor } from '../../edge/actor';
import { NullableText } from '../../edge/fields';
import { idOf, pageOf, type Page, type PageQuery } from '../../edge/page';
import { Database } from '../../platform/database';
import { ok, type Result } from '../../platform/result';

export class AuditEntryView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, format: 'date-time' }) readonly at!: Date;
  @ApiProperty({ type: String, example: 'role.created' }) readonly action!: string;
  @NullableText({ format: 'uuid', description: 'The user who did it' }) readonly actorId!: string | null;
  @NullableText({ format: 'uuid', description: 'The admin who acted as that user' }) readonly impersonatorId!: string | null;
  @NullableText({ format: 'uuid' }) readonly tenantId!: string | null;
  @ApiProperty({ type: String, example: 'role' }) readonly targetType!: string;
  @ApiProperty({ type: String }) readonly targetId!: string;
  @NullableText() readonly ip!: string | null;
  @ApiProperty({ type: String, description: 'X-Request-Id of the request that did it' }) readonly requestId!: string;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'More, by action' }) readonly data!: object;
}

/** What has happened in the active tenant, newest first. */
export class ListTenantAuditLog extends Query<Result<Page<AuditEntryView>>> {
  constructor(
    readonly actor: TenantActor,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListTenantAuditLog)
export class ListTenantAuditLogHandler implements IQueryHandler<ListTenantAuditLog> {
  constructor(private readonly database: Database) {}

  async execute({ actor, page }: ListTenantAuditLog): Promise<Result<Page<AuditEntryView>>> {
    const rows = await this.database.readWithin<AuditEntryView>(
      actor,
      `SELECT id, at, action, actor_id AS "actorId", impersonator_id AS "impersonatorId", tenant_id AS "tenantId",
              target_type AS "targetType", target_id AS "targetId", ip, request_id AS "requestId", data
         FROM audit_log WHERE tenant_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
      [actor.tenantId, idOf(page.cursor), page.limit + 1],
    );
    return ok(pageOf(rows, page.limit));
  }
}
