import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EntityReader } from '../../platform/database/entity-reader';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { PersonalData } from '../../platform/personal-data';
import { AuditEntry } from '../domain/audit-entry';

const ENTRY = [
  'id',
  'at',
  'action',
  'actorId',
  'impersonatorId',
  'principalKind',
  'principalId',
  'tenantId',
  'targetType',
  'targetId',
  'data',
] as const;
const scope = EVERY_TENANT;

/** Audit entries by and about a person, for the export of personal data. */
@Injectable()
export class SupplyDataOfAuditLog implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalData,
    private readonly reader: EntityReader,
  ) {}

  onModuleInit(): void {
    this.personalData.supply([AuditEntry], {
      name: 'auditEntriesByYou',
      read: async ({ userId }, page) => {
        const fields = { scope, select: [...ENTRY, 'ip'] as const, where: { actorId: userId } } as const;
        const { items, nextCursor } = await this.reader.findPage(AuditEntry, fields, page);
        // the address of an operator who acted as the person is not the person's
        return { items: items.map((entry) => (entry.impersonatorId ? { ...entry, ip: null } : entry)), nextCursor };
      },
    });
    this.personalData.supply([AuditEntry], {
      name: 'auditEntriesAboutYou',
      read: ({ userId }, page) =>
        this.reader.findPage(AuditEntry, { scope, select: ENTRY, where: { targetId: userId } }, page),
    });
  }
}
