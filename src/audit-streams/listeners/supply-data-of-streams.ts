import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonalData } from '../../platform/personal-data';
import { AuditStream } from '../domain/audit-stream';

/** Receivers are no data of a person. */
@Injectable()
export class SupplyDataOfStreams implements OnModuleInit {
  constructor(private readonly personalData: PersonalData) {}

  onModuleInit(): void {
    this.personalData.withhold(AuditStream, 'of a tenant; it names who created it by id');
  }
}
