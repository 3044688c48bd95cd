import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs, type JobRequest } from '../../platform/jobs/jobs';
import {
  PasskeyAdded,
  PasskeyCounterWentBack,
  PasskeyRemoved,
  FactorResetRequested,
  RecoveryCodesCreated,
  RecoveryCodeUsed,
  SecondFactorAdded,
  SecondFactorBlocked,
  SecondFactorRemoved,
  SecondFactorReset,
} from '../../factors/factors.api';
import { OwnershipTransferred, TenantOwners } from '../../tenants/tenants.api';
import { PROVIDER_NAMES } from '../../users/users.api';
import { AccountSecured, PasswordChanged, PasswordReset, ProviderLinked, TokenReused } from '../auth.events';
import { SendSecurityMail, securityMailNow, type SecurityMailDetails } from '../commands/send-security-mail';
import type { SecurityNotice } from '../mails/security.mail';

/**
 * Enqueues an email to the owner of an account when the security of the account changed. The email
 * about a sign-in on a new device is enqueued by the statement that opens the session.
 */
@Injectable()
export class SendSecurityMailOnAccountChanged implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly tenantOwners: TenantOwners,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.on(PasswordChanged, (events) => this.enqueue('password-changed', events));
    this.events.on(PasswordReset, (events) =>
      this.enqueue('password-reset', events, ({ wasVerified }) => (wasVerified ? {} : { isUnnamed: true })),
    );
    this.events.on(AccountSecured, (events) => this.enqueue('account-secured', events));
    this.events.on(TokenReused, (events) => this.enqueue('token-reuse', events));
    this.events.on(SecondFactorAdded, (events) => this.enqueue('second-factor-added', events));
    this.events.on(SecondFactorRemoved, (events) => this.enqueue('second-factor-removed', events));
    this.events.on(SecondFactorBlocked, (events) => this.enqueue('second-factor-blocked', events));
    this.events.on(RecoveryCodesCreated, (events) => this.enqueue('recovery-codes-created', events));
    this.events.on(RecoveryCodeUsed, (events) => this.enqueue('recovery-code-used', events));
    this.events.on(PasskeyAdded, (events) => this.enqueue('passkey-added', events));
    this.events.on(PasskeyRemoved, (events) => {
      const reported = events.filter(({ reason }) => reason === 'removed');
      return this.enqueue('passkey-removed', reported);
    });
    this.events.on(PasskeyCounterWentBack, (events) => this.enqueue('passkey-counter-went-back', events));
    this.events.on(FactorResetRequested, (events) => this.jobs.enqueueAll(events.map(mailOfReset)));
    this.events.on(SecondFactorReset, (events) => this.enqueue('second-factor-reset', events));
    this.events.on(ProviderLinked, (events) =>
      this.enqueue(
        'provider-linked',
        events.filter(({ isNewAccount }) => !isNewAccount),
        ({ provider }) => ({ what: PROVIDER_NAMES[provider] }),
      ),
    );
    this.events.on(OwnershipTransferred, async (events) => {
      const owners = await this.tenantOwners.of(events.map(({ tenantId }) => tenantId!));
      await this.enqueue('ownership-received', [...owners.values()], ({ tenantName }) => ({ what: tenantName }));
    });
  }

  private enqueue<E extends { readonly userId: string }>(
    notice: SecurityNotice,
    events: readonly E[],
    detailsOf: (event: E) => SecurityMailDetails = () => ({}),
  ): Promise<void> {
    const now = this.clock.now();
    return this.jobs.enqueueAll(
      events.map((event) => ({ command: securityMailNow(event.userId, notice, now, detailsOf(event)) })),
    );
  }
}

/** Without the device, which is that of the operator. */
const mailOfReset = ({ userId, reset }: FactorResetRequested): JobRequest => ({
  command: new SendSecurityMail(userId, 'factor-reset-requested', { at: reset.requestedAt.toISOString() }),
});
