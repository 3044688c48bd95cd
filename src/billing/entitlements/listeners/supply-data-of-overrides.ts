import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonalData } from '../../../platform/personal-data';
import { EntitlementOverride } from '../domain/entitlement-override';

/** What operators have given to tenants is no data of a person. */
@Injectable()
export class SupplyDataOfOverrides implements OnModuleInit {
  constructor(private readonly personalData: PersonalData) {}

  onModuleInit(): void {
    this.personalData.withhold(EntitlementOverride, 'of a tenant; it names the operator by id');
  }
}
