import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonalData } from '../../platform/personal-data';
import { WebhookEndpoint } from '../domain/webhook-endpoint';

/** Receivers are no data of a person. */
@Injectable()
export class SupplyDataOfEndpoints implements OnModuleInit {
  constructor(private readonly personalData: PersonalData) {}

  onModuleInit(): void {
    this.personalData.withhold(WebhookEndpoint, 'of a tenant; it names who created it by id');
  }
}
