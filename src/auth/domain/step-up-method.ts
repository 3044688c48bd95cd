import { invalid } from '../../platform/platform.failures';
import type { User } from '../../users/users.api';
import { FACTOR_METHODS } from '../../factors/factors.api';
import type { ProofMethod } from './session';

/** All ways to prove one's identity during a session. */
export const STEP_UP_METHODS = [...FACTOR_METHODS, 'password', 'email-code'] as const satisfies readonly ProofMethod[];

type StepUpUser = Pick<User, 'hasSecondFactor' | 'passwordHash'>;

/**
 * How a user proves their identity during a session: with the second factor if the account has
 * one, else with the password. The mailbox counts only without both (NIST SP 800-63B-4, 4.1.2.1).
 */
export function stepUpMethods(user: StepUpUser): readonly ProofMethod[] {
  if (user.hasSecondFactor) return FACTOR_METHODS;
  return [user.passwordHash === null ? 'email-code' : 'password'];
}

/** The failure of a method that does not prove the identity of this user. */
export const anotherStepUpMethod = (user: StepUpUser) =>
  invalid({ method: [`must be ${stepUpMethods(user).join(' or ')} for this account`] });
