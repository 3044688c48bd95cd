import type { Failure } from '../../platform/result';
import type { ReferenceObject, SchemaObject } from './openapi-operations';

type Schema = SchemaObject | ReferenceObject;

const VALIDATION_ERROR = 'VALIDATION_ERROR';

const details: SchemaObject = {
  type: 'object',
  description:
    'VALIDATION_ERROR: field name to messages; nested fields as `a.b`, array items as `permissions.0`. ' +
    'PLAN_REQUIRED, SEAT_LIMIT: `entitlement`, `limit`, `used`, and the plans that have more as `requiredPlan`',
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

export const schemaRef = (name: string): ReferenceObject => ({ $ref: `#/components/schemas/${name}` });

/** An object with these properties, all of them required. */
export const objectOf = (properties: Record<string, Schema>): SchemaObject => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

/** `error` of a failure. Each response narrows its codes. */
const error = objectOf({
  code: { type: 'string', description: 'The kind of failure: branch on it', example: 'NOT_FOUND' },
  message: {
    type: 'string',
    description: 'An English sentence for developers; it can change',
    example: 'The resource does not exist.',
  },
});
error.properties!.details = details;
error.description = 'Why the request failed';

/** The schemas of the envelope, by name. */
export const ENVELOPE_SCHEMAS: Record<string, SchemaObject> = {
  Succeeded: { type: 'boolean', enum: [true] },
  Failure: objectOf({ success: { type: 'boolean', enum: [false] }, error: schemaRef('Error') }),
  Error: error,
  NextCursor: nextCursor,
};

/** The envelope of a success. */
export const successSchema = (data: Schema): SchemaObject => objectOf({ success: schemaRef('Succeeded'), data });

/** A page of a view. */
export const pageSchema = (view: string): SchemaObject =>
  objectOf({
    items: { type: 'array', description: 'The items of this page', items: schemaRef(view) },
    nextCursor: schemaRef('NextCursor'),
  });

/** The envelope of a failure with one of these codes. */
export const errorSchema = (codes: readonly string[]): SchemaObject => ({
  allOf: [
    schemaRef('Failure'),
    { properties: { error: { allOf: [schemaRef('Error'), { properties: { code: { enum: [...codes] } } }] } } },
  ],
});

/** An example of a failure's body. */
export const errorExample = (failure: Failure) => ({
  success: false,
  error: {
    code: failure.code,
    message: failure.message,
    ...(failure.code === VALIDATION_ERROR ? { details: details.example as object } : {}),
  },
});
