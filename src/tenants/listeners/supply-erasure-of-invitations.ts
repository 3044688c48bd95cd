import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ErasureSteps } from '../../platform/erasure-steps';
import { InvitationRepository } from '../data/invitation.repository';

/** Erases the pending invitations to the addresses of a deleted account. */
@Injectable()
export class SupplyErasureOfInvitations implements OnModuleInit {
  constructor(
    private readonly steps: ErasureSteps,
    private readonly invitations: InvitationRepository,
  ) {}

  onModuleInit(): void {
    this.steps.add((person, limit) => this.invitations.erase(person, limit));
  }
}
