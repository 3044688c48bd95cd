import type { AuditEntryView } from '../../../audit/audit.api';
import type { CsvColumns } from '../../../http/responses/csv-rows';
import type { JobView } from './job.views';
import type { AdminTenantView } from './tenant.views';
import type { AdminUserView } from './user.views';
import type { WebhookEventView } from './webhook-event.views';

/** The columns of exported lists, named as the fields of the API. */

export const USER_CSV: CsvColumns<AdminUserView> = {
  id: ({ id }) => id,
  email: ({ email }) => email,
  name: ({ name }) => name,
  isEmailVerified: ({ isEmailVerified }) => isEmailVerified,
  isAdmin: ({ isAdmin }) => isAdmin,
  disabledAt: ({ disabledAt }) => disabledAt,
  lastSignInAt: ({ lastSignInAt }) => lastSignInAt,
  lastSignInMethod: ({ lastSignInMethod }) => lastSignInMethod,
  createdAt: ({ createdAt }) => createdAt,
};

export const TENANT_CSV: CsvColumns<AdminTenantView> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  plan: ({ plan }) => plan,
  status: ({ status }) => status,
  processorStatus: ({ processorStatus }) => processorStatus,
  processorCustomerId: ({ processorCustomerId }) => processorCustomerId,
  processorSubscriptionId: ({ processorSubscriptionId }) => processorSubscriptionId,
  memberCount: ({ memberCount }) => memberCount,
  ownerId: ({ owner }) => owner.id,
  ownerEmail: ({ owner }) => owner.email,
  ownerName: ({ owner }) => owner.name,
  createdAt: ({ createdAt }) => createdAt,
  overrideEndsAt: ({ overrideEndsAt }) => overrideEndsAt,
};

export const AUDIT_CSV: CsvColumns<AuditEntryView> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  action: ({ action }) => action,
  actorId: ({ actorId }) => actorId,
  impersonatorId: ({ impersonatorId }) => impersonatorId,
  tenantId: ({ tenantId }) => tenantId,
  targetType: ({ targetType }) => targetType,
  targetId: ({ targetId }) => targetId,
  ip: ({ ip }) => ip,
  requestId: ({ requestId }) => requestId,
  data: ({ data }) => data,
  principalKind: ({ principalKind }) => principalKind,
  principalId: ({ principalId }) => principalId,
};

export const WEBHOOK_EVENT_CSV: CsvColumns<WebhookEventView> = {
  id: ({ id }) => id,
  eventId: ({ eventId }) => eventId,
  type: ({ type }) => type,
  status: ({ status }) => status,
  tenantId: ({ tenantId }) => tenantId,
  createdAt: ({ createdAt }) => createdAt,
  receivedAt: ({ receivedAt }) => receivedAt,
  attempts: ({ attempts }) => attempts,
  error: ({ error }) => error,
};

export const JOB_CSV: CsvColumns<JobView> = {
  id: ({ id }) => id,
  task: ({ task }) => task,
  state: ({ state }) => state,
  attempts: ({ attempts }) => attempts,
  maxAttempts: ({ maxAttempts }) => maxAttempts,
  error: ({ error }) => error,
  key: ({ key }) => key,
  runAt: ({ runAt }) => runAt,
  createdAt: ({ createdAt }) => createdAt,
  startedAt: ({ startedAt }) => startedAt,
  command: ({ command }) => command,
  requestId: ({ requestId }) => requestId,
};
