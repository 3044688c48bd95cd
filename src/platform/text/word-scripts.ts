/** The scripts of UAX 31, tables 5 and 7: those of living languages. */
const SCRIPTS = `Adlam Arabic Armenian Balinese Bamum Batak Bengali Buginese Canadian_Aboriginal Chakma Cham Cherokee
  Coptic Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hanifi_Rohingya Hebrew Javanese Kannada
  Kayah_Li Khmer Lao Latin Lepcha Limbu Lisu Malayalam Mandaic Meetei_Mayek Mongolian Myanmar New_Tai_Lue Newa Nko
  Nyiakeng_Puachue_Hmong Ol_Chiki Oriya Osage Saurashtra Sinhala Sundanese Syloti_Nagri Syriac Tai_Le Tai_Tham
  Tai_Viet Tamil Telugu Thaana Thai Tibetan Tifinagh Vai Wancho Yi`.split(/\s+/);
/** Scripts that are written together in one word (UTS 39, section 5.2, Highly Restrictive). */
const TOGETHER = ['Latin Han Hiragana Katakana', 'Latin Han Bopomofo', 'Latin Han Hangul'].map((mix) => mix.split(' '));

const ofScripts = (scripts: readonly string[]) =>
  scripts.map((script) => `\\p{Script_Extensions=${script}}`).join('') +
  '\\p{Script_Extensions=Common}\\p{Script_Extensions=Inherited}';

const ALLOWED = [...TOGETHER, ...SCRIPTS.map((script) => [script])].map(
  (scripts) => new RegExp(`^[${ofScripts(scripts)}]*$`, 'u'),
);
/** Scripts that are in no list, such as Gothic: allowed, but not together with one that is. */
const OTHERS = new RegExp(`^(?:[^${ofScripts([...TOGETHER.flat(), ...SCRIPTS])}]|[${ofScripts([])}])*$`, 'u');
/** Nearly every word; the others take longer. */
const ONLY_ASCII = /^\p{ASCII}*$/u;

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Whether a word has letters of several scripts that are not written together, as in a word with
 * Latin letters and a Cyrillic one that looks the same. A hyphen, dot or space ends a word.
 */
export function mixesScripts(text: string): boolean {
  if (ONLY_ASCII.test(text)) return false;
  const words = text.match(WORDS) ?? [];
  return words.some((word) => ![...ALLOWED, OTHERS].some((allowed) => allowed.test(word)));
}
