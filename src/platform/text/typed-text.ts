import { hasInvisible, isVisible, withoutInvisible } from './invisible-characters';
import { hasAddressPrefix, hasWebAddress, withoutWebAddresses } from './web-addresses';
import { mixesScripts } from './word-scripts';

/**
 * The form in which text that people type is stored and shown: NFC, every space the same, one
 * between words and none around them (docs/contract.md, Typed text).
 */
export const tidyText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim();

/**
 * Why one line of text, such as a reason, a description or a search, is refused; undefined if it is
 * acceptable.
 * @param text tidied
 */
export const problemOfText = (text: string): string | undefined =>
  hasInvisible(text) ? 'must not contain characters that are invisible or change the direction of text' : undefined;

/**
 * The same for the name of a thing that its tenant or its owner sees, such as a project or a key.
 */
export function problemOfLabel(text: string): string | undefined {
  const problem = problemOfText(text);
  if (problem !== undefined) return problem;
  if (!isVisible(text)) return 'must contain a letter, a digit or an emoji';
  if (mixesScripts(text)) return 'must not mix letters of several scripts in a word';
  return hasAddressPrefix(text) ? 'must not contain web addresses' : undefined;
}

/** The same for the name of a person, tenant or role, which emails to others contain. */
export function problemOfName(text: string): string | undefined {
  const isLinked = hasWebAddress(text);
  return problemOfLabel(text) ?? (isLinked ? 'must not contain web addresses; write a space after a dot' : undefined);
}

/**
 * A name that nobody can correct, such as that of a provider, without what names must not contain.
 * @param max the greatest length in characters
 * @returns '' if nothing acceptable is left
 */
export function cleanName(name: string, max: number): string {
  const shown = tidyText(withoutInvisible([...name.replace(/\p{Cc}/gu, ' ')].slice(0, max).join('')));
  const cleaned = tidyText(withoutWebAddresses(shown));
  return problemOfName(cleaned) === undefined ? cleaned : '';
}

const MAX_LOCAL_PART = 64;

/** The name of a person of whom only the address is known: the part before the @, or `User`. */
export const nameFromEmail = (email: string): string => cleanName(email.split('@')[0], MAX_LOCAL_PART) || 'User';

/** The form in which texts are compared: NFKC, without case and invisible characters. */
export const comparable = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC');
