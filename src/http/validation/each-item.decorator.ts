import { ValidateBy } from 'class-validator';

/** The name of the rule, by which error details recognize it. */
export const EACH_ITEM = 'eachItem';

/**
 * Validates each item of a list. Details name the invalid items, such as `permissions.0`, which the
 * library's own `each` does not.
 * @param message the message for an invalid item
 */
export const EachItem = (isItem: (item: unknown) => boolean, message: string): PropertyDecorator =>
  ValidateBy(
    { name: EACH_ITEM, validator: { validate: (value: unknown) => Array.isArray(value) && value.every(isItem) } },
    { message, context: { isItem } },
  );
