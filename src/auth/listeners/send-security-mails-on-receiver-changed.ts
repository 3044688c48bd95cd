import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditStreamChanged, AuditStreamCreated, AuditStreamDeleted } from '../../audit-streams/audit-streams.api';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs, type JobRequest } from '../../platform/jobs/jobs';
import { TenantOwners, type TenantOwner } from '../../tenants/tenants.api';
import { WebhookEndpointChanged, WebhookEndpointCreated, WebhookEndpointDeleted } from '../../webhooks/webhooks.api';
import { securityMailNow } from '../commands/send-security-mail';
import type { ReceiverFacts } from '../mails/security.mail';

/**
 * Tells the person who created, moved or deleted a webhook endpoint or an audit stream, and the
 * Owner: data leaves the tenant through it.
 */
@Injectable()
export class SendSecurityMailsOnReceiverChanged implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly tenantOwners: TenantOwners,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.on(WebhookEndpointCreated, (events) => this.tell(events.map(endpointIn), 'created'));
    this.events.on(WebhookEndpointDeleted, (events) => this.tell(events.map(endpointIn), 'deleted'));
    this.events.on(WebhookEndpointChanged, (events) => this.tell(events.filter(isMoved).map(endpointIn), 'moved'));
    this.events.on(AuditStreamCreated, (events) => this.tell(events.map(streamIn), 'created'));
    this.events.on(AuditStreamDeleted, (events) => this.tell(events.map(streamIn), 'deleted'));
    this.events.on(AuditStreamChanged, (events) => this.tell(events.filter(isMoved).map(streamIn), 'moved'));
  }

  private async tell(changed: readonly ChangedReceiver[], change: ReceiverFacts['change']): Promise<void> {
    const owners = await this.tenantOwners.of(changed.map(({ tenantId }) => tenantId));
    const now = this.clock.now();
    await this.jobs.enqueueAll(
      changed.flatMap((one) => mailsAbout({ ...one, change }, owners.get(one.tenantId)!, now)),
    );
  }
}

type ChangedReceiver = Omit<ReceiverFacts, 'change'>;

const endpointIn = ({ by, endpoint: { tenantId, host } }: WebhookEndpointDeleted): ChangedReceiver => ({
  tenantId,
  kind: 'A webhook endpoint',
  host,
  by: by.userId,
});
const streamIn = ({ by, stream: { tenantId, host } }: AuditStreamDeleted): ChangedReceiver => ({
  tenantId,
  kind: 'An audit stream',
  host,
  by: by.userId,
});

const isMoved = (event: WebhookEndpointChanged | AuditStreamChanged) => event.isMoved;

/** To who did it, with the link "This was not me", and to the Owner if it was somebody else. */
function mailsAbout(receiver: ReceiverFacts, owner: TenantOwner, now: Date): JobRequest[] {
  const { by } = receiver;
  const details = { what: owner.tenantName, receiver };
  const own = by === null ? [] : [securityMailNow(by, 'receiver-changed', now, details)];
  const others =
    by === owner.userId ? [] : [securityMailNow(owner.userId, 'receiver-changed-by-another', now, details)];
  return [...own, ...others].map((command) => ({ command }));
}
