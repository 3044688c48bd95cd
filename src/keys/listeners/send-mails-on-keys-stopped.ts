import { Injectable, type OnModuleInit } from '@nestjs/common';
import { In } from 'typeorm';
import { SendSecurityMail } from '../../auth/auth.api';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { Membership, TenantOwners } from '../../tenants/tenants.api';
import { KeysStopped } from '../keys.events';

/**
 * Informs members whose personal tokens, or the keys that they created, can no longer be used
 * because somebody else, or a program, has stopped them.
 */
@Injectable()
export class SendMailsOnKeysStopped implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly tenantOwners: TenantOwners,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.on(KeysStopped, async (stopped) => {
      for (const event of stopped) await this.tell(event);
    });
  }

  private async tell({ by, tenantId, people }: KeysStopped): Promise<void> {
    const others = people.filter((id) => id !== by.userId);
    if (others.length === 0) return;
    const members = await this.unitOfWork.manager.findBy(Membership, { tenantId: tenantId!, userId: In(others) });
    const owner = (await this.tenantOwners.of([tenantId!])).get(tenantId!)!;
    const facts = { at: this.clock.now().toISOString(), what: owner.tenantName };
    await this.jobs.enqueueAll(
      members.map(({ userId }) => ({ command: new SendSecurityMail(userId, 'key-stopped-by-another', facts) })),
    );
  }
}
