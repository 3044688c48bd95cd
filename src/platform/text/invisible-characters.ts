/** The signs of Indic scripts that remove the vowel of a letter; a joiner may follow them. */
const VIRAMA = '\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D3B-\\u0D3C\\u0D4D\\u0DCA';
/** Arabic letters that never join to the next one; a non-joiner after them changes nothing. */
const NEVER_JOINS =
  '\\u0621-\\u0625\\u0627\\u0629\\u062F-\\u0632\\u0648\\u0671-\\u0677\\u0688-\\u0699\\u06C0\\u06C3-\\u06CB' +
  '\\u06CD\\u06CF\\u06D2\\u06D3\\u06D5\\u06EE\\u06EF';
const EMOJI = '\\p{Extended_Pictographic}(?:\\uFE0E|\\uFE0F|\\p{Emoji_Modifier})?';

/**
 * What may contain characters that are invisible elsewhere, because they change what is shown:
 * emoji sequences (UTS 51), and joiners and variants of the scripts that need them (UAX 31, section
 * 2.3; UTS 39, section 3.1.1).
 */
const NEEDED = [
  '\\u{1F3F4}\\u{E0067}\\u{E0062}[\\u{E0061}-\\u{E007A}]{3}\\u{E007F}', // flags of England, Scotland and Wales
  `${EMOJI}(?:\\u200D${EMOJI})*`, // families, professions, flags with a symbol
  '[0-9#*]\\uFE0F?\\u20E3', // keycaps
  // Persian, Urdu and others: ends the join of two letters within a word
  `(?<=(?![${NEVER_JOINS}])(?=\\p{L})\\p{Script=Arabic}\\p{M}*)\\u200C(?=\\p{Script=Arabic})`,
  `(?<=\\p{L}\\p{M}*[${VIRAMA}])(?:\\u200C(?=\\p{L})|\\u200D)`, // conjuncts, half forms and chillus
  '(?<=[\\u09B0\\u0CB0])\\u200D(?=[\\u09CD\\u0CCD])', // ra before a conjunct in Bengali and Kannada
  '(?<=\\p{Script=Han})[\\u{E0100}-\\u{E01EF}]', // variants of ideographs in Japanese names
  '(?<=\\p{Script=Mongolian})[\\u180B-\\u180D\\u180F]',
].join('|');

/**
 * Characters that are not shown, change the direction of text, or are shown differently or not at
 * all on each device (private, unassigned); and two blank symbols.
 */
const INVISIBLE =
  '(?!\\p{Extended_Pictographic})' +
  '[\\p{Default_Ignorable_Code_Point}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Co}\\p{Cn}\\u2800\\u{1D159}]';
const NEEDED_OR_INVISIBLE = new RegExp(`(${NEEDED})|${INVISIBLE}`, 'gu');

const VISIBLE = /[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]/u;

/** Whether a text contains an invisible character where no script and no emoji needs it. */
export const hasInvisible = (text: string): boolean =>
  [...text.matchAll(NEEDED_OR_INVISIBLE)].some(([, needed]) => needed === undefined);

/** Removes the invisible characters that nothing needs; breaks of lines become spaces. */
export const withoutInvisible = (text: string): string =>
  text.replace(/[\p{Zl}\p{Zp}]/gu, ' ').replace(NEEDED_OR_INVISIBLE, (_, needed?: string) => needed ?? '');

/** Whether at least one letter, digit or emoji is seen. */
export const isVisible = (text: string): boolean => VISIBLE.test(withoutInvisible(text));
