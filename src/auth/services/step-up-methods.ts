import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { PasskeyRepository, ProvingFactors } from '../../factors/factors.api';
import { err, ok, type Result } from '../../platform/result';
import { isAdmin, UserRepository, type User } from '../../users/users.api';
import type { ProofMethod } from '../domain/session';
import { anotherStepUpMethod, stepUpMethods } from '../domain/step-up-method';

/** The fields of an account that decide how its user proves the identity. */
export const STEP_UP_FIELDS = [
  'id',
  'email',
  'isAdmin',
  'isEmailVerified',
  'hasSecondFactor',
  'passwordHash',
] as const satisfies readonly (keyof User)[];

type StepUpUser = Pick<User, (typeof STEP_UP_FIELDS)[number]>;

/** How users prove their identity during a session. */
@Injectable()
export class StepUpMethods {
  constructor(
    private readonly users: UserRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly provingFactors: ProvingFactors,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async of(user: StepUpUser): Promise<readonly ProofMethod[]> {
    return stepUpMethods(user, await this.passkeys.existsFor(user.id), this.needsFactor(user));
  }

  /** VALIDATION_ERROR if the method is not among those of the user. */
  async check(user: StepUpUser, method: ProofMethod): Promise<Result<void, 'VALIDATION_ERROR'>> {
    const methods = await this.of(user);
    return methods.includes(method) ? ok() : err(anotherStepUpMethod(methods));
  }

  /**
   * Whether only a second factor proves the identity, even right after a sign-in without it: the
   * user is an admin and has one. Otherwise an attacker who knows the password could add a factor
   * and gain admin access.
   */
  async needFactor(userId: string): Promise<boolean> {
    if (this.settings.adminSecondFactor === 'optional') return false;
    const user = await this.users.findById(userId);
    return user !== null && this.needsFactor(user) && this.provingFactors.exist(user);
  }

  /** Whether admin access of the user needs a second factor. */
  private needsFactor(user: StepUpUser): boolean {
    const { adminEmails, adminSecondFactor } = this.settings;
    return adminSecondFactor === 'required' && isAdmin(user, adminEmails);
  }
}
