/** A name as the parts of the source write it. */
export interface NameForms {
  /** Files, routes, permissions and audit actions: `purchase-order`. */
  readonly kebab: string;
  /** Variables and properties: `purchaseOrder`. */
  readonly camel: string;
  /** Classes: `PurchaseOrder`. */
  readonly pascal: string;
  /** Tables and columns: `purchase_order`. */
  readonly snake: string;
  /** Constants: `PURCHASE_ORDER`. */
  readonly constant: string;
  /** Sentences: `purchase order`. */
  readonly words: string;
}

/** A noun in the singular and the plural. */
export interface Noun {
  readonly one: NameForms;
  readonly many: NameForms;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The forms of a name with hyphens. */
export function formsOf(kebab: string): NameForms {
  const words = kebab.split('-');
  const pascal = words.map(capital).join('');
  const snake = words.join('_');
  return {
    kebab,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
    snake,
    constant: snake.toUpperCase(),
    words: words.join(' '),
  };
}

export const nounOf = (plural: string, singular: string): Noun => ({ one: formsOf(singular), many: formsOf(plural) });

/** Endings of plurals and of their singulars; the first that matches counts. */
const ENDINGS: readonly [RegExp, string][] = [
  [/ies$/, 'y'],
  [/(ss|x|ch|sh|zz|tus|bus|ias)es$/, '$1'],
  [/([^s])s$/, '$1'],
];

/**
 * The singular of a regular English plural, or undefined if it has none.
 * @example singularOf('purchase-orders') // 'purchase-order'
 */
export function singularOf(plural: string): string | undefined {
  const [ending, replacement] = ENDINGS.find(([pattern]) => pattern.test(plural)) ?? [];
  return ending && plural.replace(ending, replacement!);
}

/** `a` or `an`, by the letters of the next word. */
export const articleOf = (word: string): string => (/^([aeio]|u(?!ni|se|sa|ti))/i.test(word) ? 'an' : 'a');

/** The name of a column: `dueAt` is `due_at`. */
export const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
