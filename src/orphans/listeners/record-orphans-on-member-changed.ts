import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents, type ActorRef } from '../../platform/domain-events';
import {
  MemberJoined,
  MemberRemoved,
  MemberRoleChanged,
  permissionsOf,
  Role,
  RoleUpdated,
} from '../../tenants/tenants.api';
import { OrphanRepository } from '../data/orphan.repository';
import { kindsWithout } from '../domain/orphaned-resource';
import { ResourceOrphaned } from '../orphans.events';
import { OrphanMails } from '../services/orphan-mails';

/**
 * Finds what a user has made who leaves a tenant or loses permissions, records it and tells the
 * Owner; and forgets it when the user comes back or holds the permission again. A transfer of the
 * ownership changes nothing: an Admin holds what is needed.
 */
@Injectable()
export class RecordOrphansOnMemberChanged implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly orphans: OrphanRepository,
    private readonly mails: OrphanMails,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.on(MemberRemoved, async (removed) => {
      for (const { by, tenantId, target } of removed) await this.find(by, tenantId!, target.id, []);
    });
    this.events.on(MemberRoleChanged, async (changed) => {
      for (const { by, tenantId, userId, role } of changed) await this.find(by, tenantId!, userId, permissionsOf(role));
    });
    this.events.on(RoleUpdated, async (updated) => {
      for (const { by, tenantId, role } of updated)
        for (const userId of await this.orphans.listCreators(tenantId!, role.id))
          await this.find(by, tenantId!, userId, permissionsOf(role));
    });
    this.events.on(MemberJoined, async (joined) => {
      for (const { by, tenantId, userId, role } of joined) {
        const stored = await this.unitOfWork.manager.findOneBy(Role, { tenantId: tenantId!, id: role.id });
        await this.find(by, tenantId!, userId, stored ? permissionsOf(stored) : []);
      }
    });
  }

  /** @param held the permissions of the user now */
  private async find(by: ActorRef, tenantId: string, userId: string, held: readonly string[]): Promise<void> {
    const added = await this.orphans.record(tenantId, userId, kindsWithout(held), this.clock.now());
    await this.events.publish(...added.map((orphan) => new ResourceOrphaned(by, orphan)));
    await this.mails.tellOwner('resources-orphaned', added);
  }
}
