import { AuditEntry } from './audit/domain/audit-entry';
import { OneTimeToken } from './auth/domain/one-time-token';
import { RefreshToken, Session } from './auth/domain/session';
import { AccessRevocation } from './http/access/access-revocation';
import { Subscription } from './billing/subscriptions/domain/subscription';
import { SyncRun } from './billing/sync/domain/sync-run';
import { WebhookEvent } from './billing/webhooks/domain/webhook-event';
import { Notification } from './notifications/domain/notification';
import { Project } from './projects/domain/project';
import { Invitation } from './tenants/domain/invitation';
import { Membership } from './tenants/domain/membership';
import { Role } from './tenants/domain/role';
import { Tenant } from './tenants/domain/tenant';
import { LinkedProvider } from './users/domain/linked-provider';
import { Registration } from './users/domain/registration';
import { User } from './users/domain/user';

/** Every entity; a test finds one that is missing here. */
export const ENTITY_CLASSES = [
  User,
  LinkedProvider,
  Registration,
  Tenant,
  Role,
  Membership,
  Invitation,
  Notification,
  AuditEntry,
  Session,
  RefreshToken,
  OneTimeToken,
  AccessRevocation,
  Subscription,
  WebhookEvent,
  SyncRun,
  Project,
];
