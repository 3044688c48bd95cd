import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ErasureSteps } from '../../platform/erasure-steps';
import { NotificationErasure } from '../data/notification-erasure';

/** Erases the notifications of others that name a person whose account was deleted. */
@Injectable()
export class SupplyErasureOfNotifications implements OnModuleInit {
  constructor(
    private readonly steps: ErasureSteps,
    private readonly erasure: NotificationErasure,
  ) {}

  onModuleInit(): void {
    this.steps.add((person, limit) => this.erasure.erase(person, limit));
  }
}
