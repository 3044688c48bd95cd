/**
 * Invisible characters, and those that change the direction of text: a name with them can imitate
 * another name or a sentence of ours.
 */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Text that email programs turn into a link. */
const WEB_ADDRESS = /:\/\/|www\./gi;

/**
 * Why a text cannot be the name of a user, tenant, role or project, or undefined. Names are shown
 * to others and sent in emails (docs/contract.md, Data formats).
 */
export function problemOfName(name: string): string | undefined {
  if (name.search(INVISIBLE) !== -1)
    return 'must not contain characters that are invisible or change the direction of text';
  if (name.search(WEB_ADDRESS) !== -1) return 'must not contain web addresses';
  return undefined;
}

/** Removes what names must not contain from a name that a provider supplied. */
export const tidyName = (name: string): string => name.replace(INVISIBLE, ' ').replace(WEB_ADDRESS, ' ');
