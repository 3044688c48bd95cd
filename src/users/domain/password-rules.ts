import { invalid } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';

const MIN_LENGTH = 8;
const MAX_LENGTH = 128;
const LONE_SURROGATE = /\p{Cs}/u;
/** A shorter local part occurs in many words by chance. */
const MIN_LOCAL_PART_LENGTH = 4;

/**
 * Checks a new password: 8–128 characters; not one of the 49,000 most common passwords in any case;
 * not a single repeated character, only spaces, or little more than the email address. There are no
 * composition rules (NIST SP 800-63B section 5.1.1.2).
 * @returns why the password is refused; undefined if it is acceptable
 */
export function findPasswordProblem(password: string, email?: string): string | undefined {
  if (LONE_SURROGATE.test(password)) return 'must be well-formed Unicode';
  const characters = [...password];
  if (characters.length < MIN_LENGTH || characters.length > MAX_LENGTH)
    return `must be ${MIN_LENGTH} to ${MAX_LENGTH} characters long`;
  if (password.trim() === '') return 'must not consist of spaces only';
  const lowerCased = password.toLowerCase();
  if (new Set(lowerCased).size === 1) return 'must not be one repeated character';
  if (commonPasswords().includes(lowerCased)) return 'is too common, choose another one';
  return email === undefined ? undefined : findEmailSimilarity(lowerCased, email.toLowerCase());
}

/** @returns VALIDATION_ERROR with details on `field` if the password is refused */
export function checkNewPassword(password: string, email: string, field: string): Result<void, 'VALIDATION_ERROR'> {
  const problem = findPasswordProblem(password, email);
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

/**
 * The most common passwords in lower case. They are loaded with the first new password, because
 * they take 2 MB of memory; Node keeps them. To search them takes 0.1 ms, and a set would take
 * another MB.
 */
function commonPasswords(): readonly string[] {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import is async
  const library = require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
  return library.dictionary['passwords-common'];
}
