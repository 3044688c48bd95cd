import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ErasureSteps } from '../../platform/erasure-steps';
import { AuditErasure } from '../data/audit-erasure';

/** Erases details and IP addresses in the audit log after an account was deleted. */
@Injectable()
export class SupplyErasureOfAuditDetails implements OnModuleInit {
  constructor(
    private readonly steps: ErasureSteps,
    private readonly erasure: AuditErasure,
  ) {}

  onModuleInit(): void {
    this.steps.add((person, limit) => this.erasure.erase(person, limit));
  }
}
