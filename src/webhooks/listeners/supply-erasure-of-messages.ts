import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ErasureSteps } from '../../platform/erasure-steps';
import { MessageErasure } from '../data/message-erasure';

/** Erases webhook messages that name a person whose account was deleted. */
@Injectable()
export class SupplyErasureOfMessages implements OnModuleInit {
  constructor(
    private readonly steps: ErasureSteps,
    private readonly erasure: MessageErasure,
  ) {}

  onModuleInit(): void {
    this.steps.add((person, limit) => this.erasure.erase(person, limit));
  }
}
