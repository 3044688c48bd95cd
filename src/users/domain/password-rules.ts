import { dictionary } from '@zxcvbn-ts/language-common';
import { invalid } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';

const MIN_LENGTH = 8;
const MAX_LENGTH = 128;
const LONE_SURROGATE = /\p{Cs}/u;
/** All in lower case. */
const COMMON = new Set(dictionary['passwords-common']);
/** A shorter part before the @ is in many words by chance. */
const TELLING_LENGTH = 4;

/**
 * Why a new password is not acceptable: 8–128 characters, in any case not among the 49,000 most
 * common ones, not one character again and again, nor only spaces, nor hardly more than the email
 * address. No composition rules (NIST SP 800-63B section 5.1.1.2).
 * @param email where it is known
 */
export function problemOfPassword(password: string, email?: string): string | undefined {
  if (LONE_SURROGATE.test(password)) return 'must be well-formed Unicode';
  const characters = [...password];
  if (characters.length < MIN_LENGTH || characters.length > MAX_LENGTH)
    return `must be ${MIN_LENGTH} to ${MAX_LENGTH} characters long`;
  if (password.trim() === '') return 'must not be only spaces';
  const lowerCased = password.toLowerCase();
  if (new Set(lowerCased).size === 1) return 'must not be one character again and again';
  if (COMMON.has(lowerCased)) return 'is one of the most common passwords';
  return email === undefined ? undefined : likenessOf(lowerCased, email.toLowerCase());
}

/** @returns VALIDATION_ERROR that names the body's `field` */
export function checkNewPassword(password: string, email: string, field: string): Result {
  const problem = problemOfPassword(password, email);
  return problem ? err(invalid({ [field]: [problem] })) : ok();
}

/**
 * Where the address, or the part before the @, is taken out, as much as a password needs must be
 * left.
 */
function likenessOf(password: string, email: string): string | undefined {
  if (password === email) return 'must not be the email address';
  const [local] = email.split('@');
  const isTelling = local.length >= TELLING_LENGTH && password.includes(local);
  return isTelling && password.replaceAll(local, '').length < MIN_LENGTH
    ? 'must not be made of the email address'
    : undefined;
}
