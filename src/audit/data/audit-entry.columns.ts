/** The columns of an AuditEntryView. */
export const AUDIT_ENTRY_COLUMNS = `id, at, action, actor_id AS "actorId", impersonator_id AS "impersonatorId",
  tenant_id AS "tenantId", target_type AS "targetType", target_id AS "targetId", ip, request_id AS "requestId", data`;
