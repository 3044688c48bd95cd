import { domainToASCII } from 'node:url';

const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
/**
 * A dot-atom (RFC 5322 section 3.2.3), in any alphabet (RFC 6531). No quoted text: `"a b"@`,
 * `"\a"@` and `a@` may be one mailbox, and a quoted line break another header.
 */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
/**
 * Letters of any alphabet: what else an address bar would take (percent signs, colons) is not
 * looked at by `domainToASCII` as a name.
 */
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
const LABELS = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/**
 * The one form in which an address is stored, compared and mailed to, so that no mailbox has two
 * accounts: trimmed, composed (NFC), in lower case, the domain in ASCII (punycode).
 * @returns undefined for what is no address, or only looks like one once it is in lower case
 */
export function canonicalEmail(text: string): string | undefined {
  const typed = text.trim();
  const at = Math.max(typed.lastIndexOf('@'), 0);
  if (typed.length > MAX_LENGTH || isLookAlike(typed.slice(0, at))) return undefined;
  const [local, domain] = [typed.slice(0, at).normalize('NFC'), typed.slice(at + 1).normalize('NFC')];
  if (local.length > MAX_LOCAL_LENGTH || !LOCAL.test(local) || !DOMAIN.test(domain)) return undefined;
  const ascii = domainToASCII(domain);
  const address = `${local.toLowerCase()}@${ascii}`;
  return LABELS.test(ascii) && address.length <= MAX_LENGTH ? address : undefined;
}

/**
 * Some letters have one of a-z as their composed form or lower case (the Kelvin sign's is k), and
 * would make one person's address another's.
 */
const isLookAlike = (local: string) =>
  [...local].some((letter) => !ASCII.test(letter) && ASCII.test(letter.normalize('NFC').toLowerCase()));

const ASCII = /\p{ASCII}/u;
