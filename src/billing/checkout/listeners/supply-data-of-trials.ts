import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonalData } from '../../../platform/personal-data';
import { TrialGrant } from '../domain/trial-grant';

/** That a trial counts for a person is no data of its own in their export. */
@Injectable()
export class SupplyDataOfTrials implements OnModuleInit {
  constructor(private readonly personalData: PersonalData) {}

  onModuleInit(): void {
    this.personalData.withhold(TrialGrant, 'it counts trials: ids of tenants that the person owned');
  }
}
