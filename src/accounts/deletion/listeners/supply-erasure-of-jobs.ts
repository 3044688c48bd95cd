import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ErasureSteps } from '../../../platform/erasure-steps';
import { Jobs } from '../../../platform/jobs/jobs';
import { CompleteErasure } from '../commands/complete-erasure';
import { SendAccountDeletedMail } from '../commands/send-account-deleted-mail';

/** Erases the queued jobs that name a person whose account was deleted. */
@Injectable()
export class SupplyErasureOfJobs implements OnModuleInit {
  constructor(
    private readonly steps: ErasureSteps,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    const kept = [CompleteErasure, SendAccountDeletedMail]; // they finish the erasure
    this.steps.add(({ userId }, limit) => this.jobs.removeNaming([userId], kept, limit));
    this.steps.add(({ emails, erasedAt }, limit) => this.jobs.removeNaming(emails, kept, limit, erasedAt));
  }
}
