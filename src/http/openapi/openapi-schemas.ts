import type { Failure } from '../../platform/result';
import type { ReferenceObject, SchemaObject } from './openapi-operations';

type Schema = SchemaObject | ReferenceObject;

const VALIDATION_ERROR = 'VALIDATION_ERROR';

const details: SchemaObject = {
  type: 'object',
  description: 'Field name to messages; nested fields as `a.b`, array items as `permissions.0`',
  additionalProperties: { type: 'array', items: { type: 'string' } },
  example: { name: ['must be 1 to 100 characters long'] },
};
const nextCursor = {
  type: ['string', 'null'],
  description: 'Send it as `cursor` to get the next page; null on the last page',
  example: null,
} as unknown as SchemaObject;

/** `data` of a success that returns nothing. */
export const EMPTY: SchemaObject = { type: 'null', description: 'Always null' };

/** The schemas of the envelope, by name. */
export const ENVELOPE_SCHEMAS: Record<string, SchemaObject> = {
  Succeeded: { type: 'boolean', enum: [true] },
  Failed: { type: 'boolean', enum: [false] },
  ErrorMessage: {
    type: 'string',
    description: 'An English sentence for developers; it can change: branch on `code`',
    example: 'Not found.',
  },
  ErrorDetails: details,
  NextCursor: nextCursor,
};

export const schemaRef = (name: string): ReferenceObject => ({ $ref: `#/components/schemas/${name}` });

/** The envelope of a success. */
export const successSchema = (data: Schema): SchemaObject => objectOf({ success: schemaRef('Succeeded'), data });

/** A page of a view. */
export const pageSchema = (view: string): SchemaObject =>
  objectOf({ items: { type: 'array', items: schemaRef(view) }, nextCursor: schemaRef('NextCursor') });

/** The envelope of a failure with one of these codes. */
export function errorSchema(codes: readonly string[]): SchemaObject {
  const error = objectOf({ code: { type: 'string', enum: [...codes] }, message: schemaRef('ErrorMessage') });
  if (codes.includes(VALIDATION_ERROR)) error.properties = { ...error.properties, details: schemaRef('ErrorDetails') };
  return objectOf({ success: schemaRef('Failed'), error });
}

/** An example of a failure's body. */
export const errorExample = (failure: Failure) => ({
  success: false,
  error: {
    code: failure.code,
    message: failure.message,
    ...(failure.code === VALIDATION_ERROR ? { details: details.example as object } : {}),
  },
});

/** An object with these properties, all of them required. */
function objectOf(properties: Record<string, Schema>): SchemaObject {
  return { type: 'object', required: Object.keys(properties), properties };
}
