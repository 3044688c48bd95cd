import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EntityReader } from '../../platform/database/entity-reader';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { PersonalData } from '../../platform/personal-data';
import { NOTIFICATION_COLUMNS } from '../data/notification.columns';
import { Notification } from '../domain/notification';

/** Notifications, for the export of personal data. */
@Injectable()
export class SupplyDataOfNotifications implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalData,
    private readonly reader: EntityReader,
  ) {}

  onModuleInit(): void {
    this.personalData.supply([Notification], {
      name: 'notifications',
      read: ({ userId }, page) => {
        const fields = { scope: EVERY_TENANT, select: NOTIFICATION_COLUMNS, where: { userId } } as const;
        return this.reader.findPage(Notification, fields, page);
      },
    });
  }
}
