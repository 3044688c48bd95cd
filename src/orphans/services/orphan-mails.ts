import { Injectable } from '@nestjs/common';
import { SendSecurityMail } from '../../auth/auth.api';
import { Clock } from '../../platform/clock';
import { Jobs } from '../../platform/jobs/jobs';
import { TenantOwners } from '../../tenants/tenants.api';
import type { LivingOrphan } from '../data/orphan.repository';
import { disabledFrom } from '../domain/orphaned-resource';
import { orphanName } from '../domain/orphan-name';

/** Resources that one email names. */
const MOST_NAMED = 20;

/** Tells the Owner of a tenant about what others have left there. */
@Injectable()
export class OrphanMails {
  constructor(
    private readonly tenantOwners: TenantOwners,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /** @param orphans of one tenant; without one, nothing is sent */
  async tellOwner(
    notice: 'resources-orphaned' | 'resources-expiring' | 'resources-disabled',
    orphans: readonly LivingOrphan[],
  ): Promise<void> {
    const [first] = orphans;
    if (!first) return;
    const owner = (await this.tenantOwners.of([first.tenantId])).get(first.tenantId);
    if (!owner) return; // the tenant is being deleted
    const facts = {
      at: this.clock.now().toISOString(),
      what: owner.tenantName,
      workspaceId: first.tenantId,
      due: disabledFrom(first.leftAt).toISOString(),
      items: orphans.slice(0, MOST_NAMED).map(orphanName),
    };
    await this.jobs.enqueue(new SendSecurityMail(owner.userId, notice, facts));
  }
}
