/**
 * Characters that nobody sees, or that turn the direction of what follows: a name with them can
 * look like another, or like a sentence of ours.
 */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** What mail programs make a link of. */
const WEB_ADDRESS = /:\/\/|www\./gi;

/**
 * Why a text cannot be the name of a person, tenant, role or project: names are shown to others,
 * and mailed to them (docs/contract.md, Data formats).
 */
export function problemOfName(name: string): string | undefined {
  if (name.search(INVISIBLE) !== -1)
    return 'must not contain characters that are invisible or change the direction of text';
  if (name.search(WEB_ADDRESS) !== -1) return 'must not contain web addresses';
  return undefined;
}

/** A name that somebody else gave us, without what names must not contain. */
export const tidyName = (name: string): string => name.replace(INVISIBLE, ' ').replace(WEB_ADDRESS, ' ');
