import { invalid } from '../../platform/platform.failures';
import type { User } from '../../users/users.api';
import { FACTOR_METHODS, factorMethods } from '../../factors/factors.api';
import type { ProofMethod } from './session';

/** All ways to prove one's identity during a session. */
export const STEP_UP_METHODS = [...FACTOR_METHODS, 'password', 'email-code'] as const satisfies readonly ProofMethod[];

type StepUpUser = Pick<User, 'hasSecondFactor' | 'passwordHash'>;

/**
 * How a user proves their identity during a session: with a passkey, or with the second factor if
 * the account has one, else with the password. The mailbox counts only without both of the last
 * two (NIST SP 800-63B-4, 4.1.2.1); it stays beside a passkey, which can be lost and has no
 * recovery codes.
 * @param hasPasskey whether the user has a passkey
 * @param isAdmin whether the user is an admin, who needs a second factor: the passkey is one, and
 * the password alone must not add another
 */
export function stepUpMethods(user: StepUpUser, hasPasskey: boolean, isAdmin: boolean): readonly ProofMethod[] {
  if (user.hasSecondFactor) return factorMethods(hasPasskey);
  if (isAdmin && hasPasskey) return ['passkey'];
  const other = user.passwordHash === null ? 'email-code' : 'password';
  return hasPasskey ? ['passkey', other] : [other];
}

/** The failure of a method that is not among those of a user. */
export const anotherStepUpMethod = (methods: readonly ProofMethod[]) =>
  invalid({ method: [`must be ${methods.join(' or ')} for this account`] });
