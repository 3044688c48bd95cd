import { dictionary } from '@zxcvbn-ts/language-common';
import { invalid } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';

const MIN_LENGTH = 8;
const MAX_LENGTH = 128;
/** The list is ordered by how common a password is; contract section 3 refuses this many. */
const MOST_COMMON = new Set(dictionary['passwords-common'].slice(0, 10_000));

/**
 * Whether a new password is acceptable: 8–128 characters, not the email, not one of the 10,000 most common ones as typed. No composition
 * rules (NIST SP 800-63B section 5.1.1.2).
 * @param field the name of the body's field, which the refusal names
 */
export function checkNewPassword(password: string, email: string, field: string): Result {
  const problem = problemOf(password, email);
  return problem ? err(invalid({ [field]: [problem] })) : ok();
}

function problemOf(password: string, email: string): string | undefined {
  const length = [...password].length;
  if (length < MIN_LENGTH || length > MAX_LENGTH) return `must be ${MIN_LENGTH} to ${MAX_LENGTH} characters long`;
  if (password.toLowerCase() === email.toLowerCase()) return 'must not be the email address';
  if (MOST_COMMON.has(password)) return 'is one of the most common passwords';
  return undefined;
}
