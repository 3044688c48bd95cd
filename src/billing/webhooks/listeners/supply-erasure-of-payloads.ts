import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ErasureSteps } from '../../../platform/erasure-steps';
import { WebhookPayloadErasure } from '../data/webhook-payload-erasure';

/** Erases stored Stripe events that name a person whose account was deleted. */
@Injectable()
export class SupplyErasureOfPayloads implements OnModuleInit {
  constructor(
    private readonly steps: ErasureSteps,
    private readonly erasure: WebhookPayloadErasure,
  ) {}

  onModuleInit(): void {
    this.steps.add((person, limit) => this.erasure.erase(person, limit));
  }
}
