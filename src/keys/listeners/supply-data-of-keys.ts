import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EntityReader } from '../../platform/database/entity-reader';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { PersonalData } from '../../platform/personal-data';
import { API_KEY_COLUMNS } from '../data/api-key.columns';
import { ApiKey } from '../domain/api-key';
import { ServiceAccount } from '../domain/service-account';

/** Personal tokens without the tokens themselves, for the export of personal data. */
@Injectable()
export class SupplyDataOfKeys implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalData,
    private readonly reader: EntityReader,
  ) {}

  onModuleInit(): void {
    this.personalData.supply([ApiKey], {
      name: 'personalTokens',
      read: ({ userId }, page) =>
        this.reader.findPage(ApiKey, { scope: EVERY_TENANT, select: API_KEY_COLUMNS, where: { userId } }, page),
    });
    this.personalData.withhold(ServiceAccount, 'a program of the tenant; the audit entries say who created it');
  }
}
