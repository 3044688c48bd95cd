import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonalData } from '../../platform/personal-data';
import { OrphanedResource } from '../domain/orphaned-resource';

/** Says why the export of personal data has no orphaned resources. */
@Injectable()
export class SupplyDataOfOrphans implements OnModuleInit {
  constructor(private readonly personalData: PersonalData) {}

  onModuleInit(): void {
    this.personalData.withhold(OrphanedResource, 'things of the tenant; the audit entries say who made them');
  }
}
