/**
 * Characters that look like a letter of the names of built-in roles, as code points: those of
 * confusables.txt (UTS 39) that lead to one of these letters and are not turned into it by NFKC,
 * and the Latin small capitals.
 */
const LOOK_ALIKES: Readonly<Record<string, readonly string[]>> = {
  a: ['237a 251 3b1 430 391 410 13aa 15c5 a4ee 16f40 102a0 2376 1d00'],
  b: [
    '184 42c 13cf 1472 15af a7b4 392 412 13f4 15f7 a4d0 10282 102a1 10301 253 1473 183 182 411 180 48d 48c 463',
    '462 299',
  ],
  d: ['501 13e7 146f a4d2 13a0 15de 15ea a4d3 257 256 18c 111 110 d0 189 20ab 1d05'],
  e: ['212e ab32 435 4bd 22ff 395 415 2d39 13ac a4f0 118a6 118ae 10286 247 246 4bf 1d07'],
  i: [
    '2373 131 26a 269 3b9 456 a647 4cf ab75 13a5 118c3 2378 268 1d7b 1d7c 5c0 2223 23fd 661 6f1 10320 1e8c7 196',
    '1c0 399 2c92 406 4c0 5d5 5df 627 7ca 2d4f 16c1 a4f2 16f28 1028a 10309 1d22a 2cd0 13de 14aa a4e1 16f16 118a3',
    '118b2 1041b 10526 142 141 26d 197 19a 26b 673',
  ],
  m: ['39c 3fa 2c98 41c 13b7 15f0 16d6 a4df 102b0 10311 4cd 118e3 11700 20a5 271 1d6f 1d0d'],
  n: ['578 57c 39d 2c9a a4e0 10513 1018e 273 19e 3b7 19d 1d70 274'],
  o: [
    'c02 c82 d02 d82 966 a66 ae6 be6 c66 ce6 d66 e50 ed0 1040 665 6f5 1d0f 1d11 ab3d 3bf 3c3 2c9f 43e 10ff 585',
    '5e1 647 6be 6c1 6d5 d20 101d 104ea 118c8 118d7 1042c 7c0 9e6 b66 3007 114d0 118e0 39f 2c9e 41e 555 2d54',
    '12d0 b20 104c2 a4f3 118b5 10292 102ab 10404 10516 6ff f8 ab3e d8 2d41 275 a74b 4e9 473 ab8e abbb 2296 229d',
    '236c 1d21a 1f714 19f a74a 3b8 398 4e8 472 2d31 13be 13eb ab74 1010',
  ],
  r: ['ab47 ab48 1d26 2c85 433 ab81 1d216 1a6 13a1 13d2 104b4 1587 a4e3 16f35 27d 27c 24d 493 1d72 280'],
  w: ['26f 1d21 461 51d 561 1170a 1170e 1170f ab83 118ef 118e6 51c 13b3 13d4 a4ea 47d 114c5 20a9 a761'],
};

const LETTERS = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, lines]) =>
    lines
      .join(' ')
      .split(' ')
      .map((code) => [String.fromCodePoint(parseInt(code, 16)), letter] as const),
  ),
);
const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{M}\p{Zs}\p{P}]/gu;

const withLatinLetters = (text: string) => [...text].map((character) => LETTERS.get(character) ?? character).join('');

/**
 * What names that look alike have in common (UTS 39, section 4, skeleton), for names of the letters
 * above. Also without case, accents, spaces and punctuation.
 */
export function skeletonOf(text: string): string {
  const letters = text.normalize('NFKC').normalize('NFD').replace(IGNORED, '');
  const lowerCased = withLatinLetters(withLatinLetters(letters).toLowerCase());
  return lowerCased.replace(/[l1|]/g, 'i').replace(/0/g, 'o').replace(/rn/g, 'm').replace(/vv/g, 'w');
}
