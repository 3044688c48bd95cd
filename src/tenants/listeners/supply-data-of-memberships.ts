import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EntityReader } from '../../platform/database/entity-reader';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { computed } from '../../platform/database/entity-reader';
import { PersonalData } from '../../platform/personal-data';
import { Invitation } from '../domain/invitation';
import { Membership } from '../domain/membership';
import { Role } from '../domain/role';
import { Tenant } from '../domain/tenant';

const TENANT_NAME = {
  tenantName: computed<string>((query) => query.select('t.name').from(Tenant, 't').where('t.id = r.tenantId')),
};
const MEMBERSHIP = {
  ...TENANT_NAME,
  role: computed<string>((query) =>
    query.select('o.name').from(Role, 'o').where('o.tenantId = r.tenantId AND o.id = r.roleId'),
  ),
};
const INVITATION = ['id', 'tenantId', 'createdAt', 'expiresAt'] as const;
const scope = EVERY_TENANT;

/** Memberships and invitations, for the export of personal data. */
@Injectable()
export class SupplyDataOfMemberships implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalData,
    private readonly reader: EntityReader,
  ) {}

  onModuleInit(): void {
    this.personalData.supply([Membership], {
      name: 'memberships',
      read: ({ userId }, page) => {
        const select = ['id', 'tenantId', 'isOwner', 'joinedAt'] as const;
        return this.reader.findPage(Membership, { scope, select, computed: MEMBERSHIP, where: { userId } }, page);
      },
    });
    this.personalData.supply([Invitation], {
      name: 'invitationsReceived',
      read: ({ email }, page) => {
        const fields = { scope, select: INVITATION, computed: MEMBERSHIP, where: { email } } as const;
        return this.reader.findPage(Invitation, fields, page);
      },
    });
    this.personalData.supply([Invitation], {
      name: 'invitationsSent',
      read: ({ userId: invitedBy }, page) => {
        const select = [...INVITATION, 'email'] as const;
        return this.reader.findPage(Invitation, { scope, select, computed: MEMBERSHIP, where: { invitedBy } }, page);
      },
    });
  }
}
