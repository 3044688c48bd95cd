import { openApiDocument, type Schema } from './openapi-document';
import { StripeError } from './stripe-error';

/** Parameters as received: all values are text. */
export type RawParams = { readonly [name: string]: unknown };

/** An empty text unsets these fields at Stripe, which its schema does not say. */
const EMPTIED = new Set(['description', 'email', 'name', 'phone']);

const schemas = new Map<string, Schema>();

/**
 * Rejects what Stripe would reject: unknown parameters, missing ones, wrong types.
 * @param template the route, such as `POST /v1/customers/{id}`
 * @returns the parameters with the types of the schema
 */
export function validateRequest(template: string, params: RawParams): Record<string, unknown> {
  return checkObject(schemaOf(template), params, '') as Record<string, unknown>;
}

function schemaOf(template: string): Schema {
  const known = schemas.get(template);
  if (known) return known;
  const [method, path] = template.split(' ');
  const { requestBody, parameters = [] } = openApiDocument().paths[path][method.toLowerCase()];
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const schema = requestBody?.content['application/x-www-form-urlencoded'].schema ?? {
    type: 'object',
    properties: Object.fromEntries(query.map((parameter) => [parameter.name, parameter.schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
  schemas.set(template, schema);
  return schema;
}

function check(schema: Schema, value: unknown, at: string): unknown {
  if (schema.anyOf) return checkAnyOf(schema.anyOf, value, at);
  if (schema.enum) return checkEnum(schema.enum, value, at);
  switch (schema.type) {
    case 'object':
      return checkObject(schema, isObject(value) ? value : wrong('object', value, at), at);
    case 'array':
      return asList(value, at).map((item, index) => check(schema.items ?? {}, item, `${at}[${index}]`));
    case 'integer':
      return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : wrong('integer', value, at);
    case 'number':
      return typeof value === 'string' && value !== '' && Number.isFinite(Number(value))
        ? Number(value)
        : wrong('decimal', value, at);
    case 'boolean':
      return value === 'true' || value === 'false' ? value === 'true' : wrong('boolean', value, at);
    default:
      return checkString(schema, value, at);
  }
}

function checkObject(schema: Schema, value: RawParams, at: string): unknown {
  const { properties = {}, required = [], additionalProperties } = schema;
  const nameOf = (name: string) => (at ? `${at}[${name}]` : name);
  for (const name of required) {
    if (value[name] === undefined)
      throw new StripeError(`Missing required param: ${nameOf(name)}.`, {
        code: 'parameter_missing',
        param: nameOf(name),
      });
  }
  const checked: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name)
      ? properties[name]
      : typeof additionalProperties === 'object'
        ? additionalProperties
        : undefined;
    if (!known)
      throw new StripeError(`Received unknown parameter: ${nameOf(name)}`, {
        code: 'parameter_unknown',
        param: nameOf(name),
      });
    // '' removes a key from metadata
    checked[name] = item === '' && !Object.hasOwn(properties, name) ? '' : check(known, item, nameOf(name));
  }
  return checked;
}

/**
 * Returns the first alternative that fits. If none does, the error is that of the first one, which
 * comes closest.
 */
function checkAnyOf(alternatives: readonly Schema[], value: unknown, at: string): unknown {
  let problem: StripeError | undefined;
  for (const alternative of alternatives) {
    try {
      return check(alternative, value, at);
    } catch (error) {
      if (!(error instanceof StripeError)) throw error;
      problem ??= error;
    }
  }
  throw problem ?? empty(at);
}

function checkEnum(allowed: readonly unknown[], value: unknown, at: string): unknown {
  if (allowed.includes(value)) return value;
  if (value === '') throw empty(at);
  throw new StripeError(`Invalid ${at}: must be one of ${allowed.slice(0, 12).join(', ')}`, { param: at });
}

function checkString({ maxLength }: Schema, value: unknown, at: string): string {
  if (typeof value !== 'string') return wrong('string', value, at);
  if (value === '' && !EMPTIED.has(at)) throw empty(at);
  if (maxLength !== undefined && value.length > maxLength) {
    throw new StripeError(`Invalid string: it must be at most ${maxLength} characters`, {
      code: 'parameter_invalid_string',
      param: at,
    });
  }
  return value;
}

function asList(value: unknown, at: string): unknown[] {
  if (Array.isArray(value)) return value;
  if (isObject(value) && Object.keys(value).every((key) => /^\d+$/.test(key))) return Object.values(value);
  return wrong('array', value, at);
}

function isObject(value: unknown): value is RawParams {
  return typeof value === 'object' && value !== null;
}

function empty(at: string): StripeError {
  const message =
    `You passed an empty string for '${at}'. We assume empty values are an attempt to unset a parameter; ` +
    `however '${at}' cannot be unset.`;
  return new StripeError(message, { code: 'parameter_invalid_empty', param: at });
}

function wrong(type: string, value: unknown, at: string): never {
  if (value === '') throw empty(at);
  const code = { integer: 'parameter_invalid_integer', string: 'parameter_invalid_string' }[type];
  throw new StripeError(`Invalid ${type}: ${typeof value === 'string' ? value : JSON.stringify(value)}`, {
    code,
    param: at,
  });
}
