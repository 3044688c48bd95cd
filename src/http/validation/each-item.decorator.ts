import { ValidateBy } from 'class-validator';

/** The name of the rule, under which the details of a refusal find it. */
export const EACH_ITEM = 'eachItem';

/**
 * A list, each item of which is one. A refusal names the items that are not, as `permissions.0`;
 * the library's own rules for each item do not tell.
 * @param message what is said of a wrong item
 */
export const EachItem = (isItem: (item: unknown) => boolean, message: string): PropertyDecorator =>
  ValidateBy(
    { name: EACH_ITEM, validator: { validate: (value: unknown) => Array.isArray(value) && value.every(isItem) } },
    { message, context: { isItem } },
  );
