import tlds from 'tlds';

/** Names that are reserved for examples and local networks (RFC 6761, RFC 2606). */
const RESERVED = ['example', 'test', 'invalid', 'localhost', 'local', 'internal', 'onion'];
const TOP_LEVEL = new Set([...tlds, ...RESERVED]);

/** What begins a web address for every mail program. */
const PREFIX = /:\/\/|www\./i;
/** A word, a dot, and what could be a top-level domain; ideographic dots count like a full stop. */
const DOTTED = new RegExp(
  '(?<![\\p{L}\\p{M}\\p{N}_-])([\\p{L}\\p{M}\\p{N}_-]+)[.\\u3002]' +
    '(?=(xn--[a-z\\d-]+|\\p{L}[\\p{L}\\p{M}]*)(?![\\p{L}\\p{M}\\p{N}])([/:?#])?)',
  'giu',
);

/** Whether a text contains `://` or `www.`. */
export const hasAddressPrefix = (text: string): boolean => PREFIX.test(text.normalize('NFKC'));

/**
 * Whether mail programs turn a part of a text into a link: a prefix of web addresses, or a word and
 * a top-level domain around a dot without a space. Not a single letter before the dot, unless a
 * path follows: `M.Sc` is a degree, and such domains belong to few owners.
 */
export function hasWebAddress(text: string): boolean {
  const compatible = text.normalize('NFKC');
  return hasAddressPrefix(text) || [...compatible.matchAll(DOTTED)].some(isLinked);
}

const isLinked = ([, word, domain, path]: RegExpExecArray | RegExpMatchArray) =>
  (word.length > 1 || path !== undefined) && (PUNYCODE.test(domain) || TOP_LEVEL.has(domain.toLowerCase()));

const PUNYCODE = /^xn--/i;

/** Replaces what makes a part of a text a link by spaces. */
export const withoutWebAddresses = (text: string): string =>
  hasWebAddress(text) ? text.normalize('NFKC').replace(/:\/\/|(?<=www)\.|[.\u3002](?=\S)/gi, ' ') : text;
