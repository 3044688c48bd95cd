import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { MailDefinition } from '../../platform/mail/mail-definition';
import { Mailer } from '../../platform/mail/mailer';
import { tenantLink } from '../../platform/mail/tenant-link';
import { ok, type Result } from '../../platform/result';
import { TenantOwners } from '../../tenants/tenants.api';
import type { DisabledReason } from '../domain/signed-receiver';

/** The email to the Owner about an endpoint or an audit stream that was disabled. */
export const webhookDisabledMail = new MailDefinition<{
  name: string;
  tenantName: string;
  host: string;
  isGone: boolean;
  isStream: boolean;
  isByOperator: boolean;
  url: string;
}>({
  template: 'webhooks/mails/webhook-disabled',
  subject: ({ tenantName, isStream }) => `${isStream ? 'An audit stream' : 'A webhook'} of ${tenantName} was disabled`,
  sample: {
    name: 'Ada Lovelace',
    tenantName: 'Analytical Engines',
    host: 'hooks.example.com',
    isGone: false,
    isStream: false,
    isByOperator: false,
    url: 'https://example.com/webhooks?tenant=00000000-0000-4000-8000-000000000001',
  },
});

/** An endpoint or an audit stream that was disabled. */
interface DisabledEndpoint {
  readonly tenantId: string;
  /** Host of its address: the rest may hold a secret. */
  readonly host: string;
  readonly why: DisabledReason | null;
  /** Absent: an endpoint. */
  readonly isStream?: boolean;
}

/** Emails the current Owner that an endpoint or an audit stream was disabled. */
@Job('send-webhook-disabled-mail', 'mail')
export class SendWebhookDisabledMail extends Command<Result> {
  constructor(
    readonly id: string,
    readonly endpoint: DisabledEndpoint,
  ) {
    super();
  }
}

@CommandHandler(SendWebhookDisabledMail)
export class SendWebhookDisabledMailHandler implements ICommandHandler<SendWebhookDisabledMail> {
  constructor(
    private readonly owners: TenantOwners,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ id, endpoint }: SendWebhookDisabledMail): Promise<Result> {
    const { tenantId, host, why, isStream = false } = endpoint;
    const found = await this.unitOfWork.inTenant({ tenantId }, async () => ok(await this.owners.of([tenantId])));
    const owner = found.ok ? found.value.get(tenantId) : undefined;
    if (!owner) return ok(); // the tenant was deleted meanwhile
    const { email, name, tenantName, language, timeZone } = owner;
    const reader = { language, timeZone };
    const recipient = { address: email, purpose: 'WebhookDisabled', about: tenantId, isNew: false, reader };
    const url = tenantLink(this.settings, isStream ? '/audit-streams' : '/webhooks', tenantId);
    const reasons = { isGone: why === 'gone', isByOperator: why === 'operator' };
    const sent = await this.mailer.send(
      recipient,
      () => webhookDisabledMail.with({ name, tenantName, host, ...reasons, isStream, url }),
      id,
    );
    if (sent.outcome === 'postponed')
      await this.jobs.enqueue(new SendWebhookDisabledMail(id, endpoint), undefined, sent.seconds);
    return ok();
  }
}
