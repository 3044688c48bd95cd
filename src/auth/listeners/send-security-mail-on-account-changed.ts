import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { currentContext } from '../../platform/observability/request-context';
import { OwnershipTransferred, TenantOwners } from '../../tenants/tenants.api';
import { PROVIDER_NAMES } from '../../users/users.api';
import { AccountSecured, PasswordChanged, PasswordReset, ProviderLinked } from '../auth.events';
import { SendSecurityMail } from '../commands/send-security-mail';
import { deviceKind } from '../domain/device-kind';
import type { SecurityFacts, SecurityNotice } from '../mails/security.mail';

/** What a notice says besides when and where. */
type OwnFacts = Omit<SecurityFacts, 'at' | 'device'>;

/**
 * Has people told by mail what happened to their accounts, in the transaction in which it did. A
 * sign-in with a new device is told where sessions open.
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
    this.events.on(PasswordChanged, (events) => this.tell('password-changed', events));
    this.events.on(PasswordReset, (events) =>
      this.tell('password-reset', events, ({ wasVerified }) => (wasVerified ? {} : { isUnnamed: true })),
    );
    this.events.on(AccountSecured, (events) => this.tell('account-secured', events));
    this.events.on(ProviderLinked, async (events) => {
      const news = events.filter(({ isNewAccount }) => !isNewAccount);
      await this.tell('provider-linked', news, ({ provider }) => ({ what: PROVIDER_NAMES[provider] }));
    });
    this.events.on(OwnershipTransferred, async (events) => {
      const owners = await this.tenantOwners.of(events.map(({ tenantId }) => tenantId!));
      const mails = [...owners.values()].map(({ userId, tenantName }) =>
        this.mail(userId, 'ownership-received', { what: tenantName }),
      );
      await this.jobs.enqueueAll(mails.map((command) => ({ command })));
    });
  }

  /** A mail about the running request. */
  mail(userId: string, notice: SecurityNotice, facts: OwnFacts = {}): SendSecurityMail {
    return new SendSecurityMail(userId, notice, {
      at: this.clock.now().toISOString(),
      device: deviceKind(currentContext().userAgent),
      ...facts,
    });
  }

  private tell<E extends { readonly userId: string }>(
    notice: SecurityNotice,
    events: readonly E[],
    factsOf: (event: E) => OwnFacts = () => ({}),
  ): Promise<void> {
    return this.jobs.enqueueAll(events.map((event) => ({ command: this.mail(event.userId, notice, factsOf(event)) })));
  }
}
