import { invalid } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { comparable } from '../../platform/text/typed-text';
import { isGuessable } from './password-strength';

const MIN_LENGTH = 8;
const MAX_LENGTH = 128;
const LONE_SURROGATE = /\p{Cs}/u;
/** A shorter local part occurs in many words by chance. */
const MIN_LOCAL_PART_LENGTH = 4;

/** What the rules know of the person whose password it is. */
export interface PasswordOwner {
  readonly email?: string;
  readonly name?: string;
}

/**
 * Checks a new password: 8–128 characters; not easily guessed (see isGuessable); not a single
 * repeated character, only spaces, or little more than the email address. There are no composition
 * rules (NIST SP 800-63B section 5.1.1.2). Compared in NFKC and without case, so that full-width
 * letters are no way around it.
 * @returns why the password is refused; undefined if it is acceptable
 */
export function findPasswordProblem(password: string, { email, name }: PasswordOwner = {}): string | undefined {
  if (LONE_SURROGATE.test(password)) return 'must be well-formed Unicode';
  const { length } = [...password.normalize('NFC')];
  if (length < MIN_LENGTH || length > MAX_LENGTH) return `must be ${MIN_LENGTH} to ${MAX_LENGTH} characters long`;
  if (password.trim() === '') return 'must not consist of spaces only';
  const compared = comparable(password);
  if (new Set(compared).size <= 1) return 'must not be one repeated character';
  if (email !== undefined) {
    const similarity = findEmailSimilarity(compared, email.toLowerCase());
    if (similarity) return similarity;
  }
  const known = [email, name].filter((text) => text !== undefined);
  return isGuessable(compared, known) ? 'is too common, choose another one' : undefined;
}

/** @returns VALIDATION_ERROR with details on `field` if the password is refused */
export function checkNewPassword(
  password: string,
  owner: PasswordOwner,
  field: string,
): Result<void, 'VALIDATION_ERROR'> {
  const problem = findPasswordProblem(password, owner);
  return problem ? err(invalid({ [field]: [problem] })) : ok();
}

/** Without the local part of the address, the password must still have the minimum length. */
function findEmailSimilarity(password: string, email: string): string | undefined {
  if (password === email) return 'must not be the email address';
  const [localPart] = email.split('@');
  const isContained = localPart.length >= MIN_LOCAL_PART_LENGTH && password.includes(localPart);
  return isContained && password.replaceAll(localPart, '').length < MIN_LENGTH
    ? 'must not be based on the email address'
    : undefined;
}
