import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EntityReader } from '../../../platform/database/entity-reader';
import { onePage, PersonalData } from '../../../platform/personal-data';
import { EmailChangeRequest } from '../domain/email-change-request';
import { EmailChange } from '../domain/email-change';

const MOST = 1000;

/** Changes of the address of an account, for the export of personal data. */
@Injectable()
export class SupplyDataOfEmailChanges implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalData,
    private readonly reader: EntityReader,
  ) {}

  onModuleInit(): void {
    this.personalData.supply([EmailChange], {
      name: 'emailChanges',
      read: async ({ userId }) => {
        const fields = {
          select: ['oldEmail', 'changedAt', 'undoUntil'],
          where: { userId },
          order: { number: 'ASC' },
          limit: MOST,
        } as const;
        return onePage(await this.reader.find(EmailChange, fields));
      },
    });
    this.personalData.supply([EmailChangeRequest], {
      name: 'emailChangeRequests',
      read: async ({ userId }) => {
        const fields = { select: ['email', 'since'], where: { userId }, order: { userId: 'ASC' }, limit: 1 } as const;
        return onePage(await this.reader.find(EmailChangeRequest, fields));
      },
    });
  }
}
