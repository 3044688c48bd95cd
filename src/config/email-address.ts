import { domainToASCII, domainToUnicode } from 'node:url';

const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
/**
 * A dot-atom (RFC 5322, section 3.2.3) in any alphabet (RFC 6531). Quoted local parts are refused:
 * `"a b"@` and `"\a"@` may be the same mailbox, and a quoted line break could start another header.
 */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
/**
 * Letters, marks, digits, dots and hyphens of any alphabet. `domainToASCII` would also accept
 * percent signs and colons.
 */
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
const LABELS = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/**
 * The canonical form in which an address is stored, compared and used for emails, so that a mailbox
 * has one account: trimmed, NFC, lower case, domain in ASCII (punycode).
 * @returns undefined for anything that is not an address, or only becomes one in lower case
 */
export function canonicalEmail(text: string): string | undefined {
  const typed = text.trim();
  const at = Math.max(typed.lastIndexOf('@'), 0);
  if (typed.length > MAX_LENGTH || isLookAlike(typed.slice(0, at))) return undefined;
  const [local, domain] = [typed.slice(0, at).normalize('NFC'), typed.slice(at + 1).normalize('NFC')];
  if (local.length > MAX_LOCAL_LENGTH || !LOCAL.test(local) || !DOMAIN.test(domain)) return undefined;
  const ascii = domainToASCII(domain);
  const address = `${local.toLowerCase()}@${ascii}`;
  return isDomain(ascii) && address.length <= MAX_LENGTH ? address : undefined;
}

/** Node 24 accepts punycode that cannot be decoded, where Node 20 and 22 do not. */
const isDomain = (ascii: string) => LABELS.test(ascii) && !/(^|\.)xn--/.test(domainToUnicode(ascii));

/**
 * Whether a character is invisible or blank, or becomes an ASCII one when it is normalized, as the
 * Kelvin sign and the full-width k become k: the address would look like another person's.
 */
const isLookAlike = (local: string) =>
  INVISIBLE.test(local) ||
  [...local].some((letter) => !ASCII.test(letter) && ASCII.test(letter.normalize('NFKC').toLowerCase()));

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

const ASCII = /\p{ASCII}/u;
