import { ValidationPipe, type ArgumentMetadata, type Type } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { invalid } from '../../platform/platform.failures';
import { EACH_ITEM } from './each-item.decorator';
import { FailureException } from '../responses/http-status';
import { MAX_ITEMS } from '../requests/json-limits';

/** What a decoder substitutes for bytes that are not UTF-8. */
const REPLACEMENT_CHARACTER = '\uFFFD';

/**
 * Validates bodies, queries and parameters (docs/contract.md, Request bodies). Only declared
 * properties are passed to the library, which would otherwise walk every unknown one before
 * dropping it.
 */
export class RequestValidation extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      transform: true,
      stopAtFirstError: true, // one message per field and rule set
      exceptionFactory: (errors) => new FailureException(invalid(detailsOf(errors))),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (type !== 'body' && type !== 'query') return super.transform(value, metadata) as Promise<unknown>;
    if (value !== undefined && !isObject(value)) throw refusal('body', 'must be a JSON object');
    if (type === 'query') checkQuery(value ?? {});
    try {
      return (await super.transform(value && this.declaredPartOf(value, metatype), metadata)) as unknown;
    } catch (error) {
      if (error instanceof RangeError) throw refusal(type, 'is not valid'); // too deep for the library after all
      throw error;
    }
  }

  private declaredPartOf(value: Record<string, unknown>, metatype: Type | undefined): Record<string, unknown> {
    if (!metatype || metatype === Object) return value; // nothing to validate
    return Object.fromEntries(
      declaredNames(metatype).flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name]]] : [])),
    );
  }
}

const declared = new Map<Type, string[]>();

/** The properties that a body or query class declares. */
export function declaredNames(metatype: Type): string[] {
  let names = declared.get(metatype);
  if (!names) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false);
    declared.set(metatype, (names = [...new Set(rules.map(({ propertyName }) => propertyName))]));
  }
  return names;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refusal = (field: string, message: string) => new FailureException(invalid({ [field]: [message] }));

/** A query is flat; a repeated name becomes a list. */
function checkQuery(query: Record<string, unknown>): void {
  let items = 0;
  for (const [name, value] of Object.entries(query)) {
    items += Array.isArray(value) ? value.length : 1;
    if (items > MAX_ITEMS) throw refusal('query', `must not have more than ${MAX_ITEMS} parameters`);
    if (`${name}${String(value)}`.includes(REPLACEMENT_CHARACTER)) throw refusal(name, 'must be valid UTF-8');
  }
}

/** Messages by field name; a nested field is `a.b`, an array item `permissions.0`. */
export function detailsOf(errors: readonly ValidationError[], parent = ''): Record<string, string[]> {
  return Object.assign(
    {},
    ...errors.map((error) => ({
      ...ownDetails(error, parent),
      ...detailsOf(error.children ?? [], `${parent}${error.property}.`),
    })),
  ) as Record<string, string[]>;
}

function ownDetails(
  { property, constraints, contexts, value }: ValidationError,
  parent: string,
): Record<string, string[]> {
  if (!constraints) return {};
  const messages = Object.values(constraints);
  const { isItem } = (contexts?.[EACH_ITEM] ?? {}) as { isItem?: (item: unknown) => boolean };
  if (!isItem || !Array.isArray(value)) return { [parent + property]: messages };
  const wrong = value.flatMap((item, index) => (isItem(item) ? [] : [index]));
  return Object.fromEntries(wrong.map((index) => [`${parent}${property}.${index}`, messages]));
}
