import { Injectable } from '@nestjs/common';
import { PasskeyRepository } from '../../factors/factors.api';
import { err, ok, type Result } from '../../platform/result';
import type { User } from '../../users/users.api';
import type { ProofMethod } from '../domain/session';
import { anotherStepUpMethod, stepUpMethods } from '../domain/step-up-method';

/** How users prove their identity during a session. */
@Injectable()
export class StepUpMethods {
  constructor(private readonly passkeys: PasskeyRepository) {}

  async of(user: Pick<User, 'id' | 'hasSecondFactor' | 'passwordHash'>): Promise<readonly ProofMethod[]> {
    return stepUpMethods(user, await this.passkeys.existsFor(user.id));
  }

  /** VALIDATION_ERROR if the method is not among those of the user. */
  async check(user: Parameters<typeof this.of>[0], method: ProofMethod): Promise<Result<void, 'VALIDATION_ERROR'>> {
    const methods = await this.of(user);
    return methods.includes(method) ? ok() : err(anotherStepUpMethod(methods));
  }
}
