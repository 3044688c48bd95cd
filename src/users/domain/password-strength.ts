/**
 * How much of a password is examined. The matchers take longer for a longer text, at most 10 ms for
 * this one, and a beginning of this length that is hard to guess is enough.
 */
const MAX_EXAMINED = 32;
/** How many ways to replace digits and signs by letters are tried, such as `p4$$` as `pass`. */
const MAX_SUBSTITUTIONS = 4;
/** As zxcvbn recommends for "safely unguessable"; eight random lower-case letters need as many. */
const MIN_GUESSES = 1e8;
const PRODUCT = 'tenantry';

type Estimator = InstanceType<(typeof import('@zxcvbn-ts/core'))['ZxcvbnFactory']>;
let loaded: Estimator | undefined;

/**
 * Whether a password can be guessed with fewer than 10⁸ attempts by somebody who tries common
 * passwords first, then sequences, repetitions, dates, keys beside each other and what is known of
 * the person; also with signs in place of letters.
 * @param known what is known of the person, such as name and address
 */
export const isGuessable = (password: string, known: readonly string[]): boolean =>
  estimator().check([...password].slice(0, MAX_EXAMINED).join(''), [PRODUCT, ...known.flatMap(partsOf)]).guesses <
  MIN_GUESSES;

/** A text and its words, such as those of an address. */
const partsOf = (text: string): string[] => [text, ...text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)];

/**
 * Loaded with the first new password: the 49,000 most common passwords take 11 MB of memory. If
 * they cannot be loaded, no password is accepted unseen.
 */
function estimator(): Estimator {
  /* eslint-disable @typescript-eslint/no-require-imports -- an import is async */
  if (!loaded) {
    const { ZxcvbnFactory } = require('@zxcvbn-ts/core') as typeof import('@zxcvbn-ts/core');
    const common = require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
    loaded = new ZxcvbnFactory({
      dictionary: common.dictionary,
      graphs: common.adjacencyGraphs,
      maxLength: MAX_EXAMINED * 2,
      l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
    });
  }
  return loaded;
}
