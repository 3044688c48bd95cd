/** The part of JSON Schema that the API document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly format?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Formats of which every tool knows an example. */
const FORMATS: Record<string, string> = {
  uuid: '0198c5d2-7c1e-7a52-b1f0-3a6d2f9e4b10',
  'date-time': '2026-01-31T09:30:00.000Z',
};

type Schemas = Readonly<Record<string, Schema>>;

/**
 * Names the properties that have neither a description nor an example, themselves or in their
 * parts.
 */
export const undescribed = (schemas: Schemas): string[] =>
  Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([property, schema]) =>
      isDescribed(schema, schemas) ? [] : [`${name}.${property}`],
    ),
  );

function isDescribed(schema: Schema, schemas: Schemas): boolean {
  if (schema.description !== undefined || schema.example !== undefined) return true;
  if (schema.$ref) {
    const { description, example, enum: values } = schemas[schema.$ref.split('/').at(-1)!];
    return [description, example, values].some((part) => part !== undefined);
  }
  if (schema.items) return isDescribed(schema.items, schemas);
  if (schema.properties) return Object.values(schema.properties).every((part) => isDescribed(part, schemas));
  return [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].some((part) => isDescribed(part, schemas));
}

/**
 * The example that tools show for a schema: composed of the examples of its properties.
 * @throws where a value has no example, since nothing sensible can be shown then
 */
export function exampleOf(schema: Schema, schemas: Schemas, name = ''): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref) {
    const referred = schema.$ref.split('/').at(-1)!;
    return exampleOf(schemas[referred], schemas, referred);
  }
  if (schema.enum) return schema.enum[0];
  if (schema.oneOf) return exampleOf(schema.oneOf[0], schemas, name);
  if (schema.anyOf?.some(({ type }) => type === 'null')) return null;
  const parts = schema.anyOf ?? schema.allOf;
  if (schema.allOf && schema.allOf.length > 1)
    return exampleOf({ type: 'object', properties: propertiesOf(schema.allOf, schemas) }, schemas, name);
  if (parts) return exampleOf(parts[0], schemas, name);
  if (schema.type?.includes('null')) return null;
  const type = [schema.type].flat()[0];
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([key, its]) => [key, exampleOf(its, schemas, `${name}.${key}`)]),
    );
  if (type === 'array') return [exampleOf(schema.items!, schemas, name)];
  if (schema.format && schema.format in FORMATS) return FORMATS[schema.format];
  throw new Error(`${name} has no example`);
}

/** The properties of the parts of an object; a later part narrows those of an earlier one. */
const propertiesOf = (parts: readonly Schema[], schemas: Schemas): Readonly<Record<string, Schema>> =>
  Object.assign(
    {},
    ...parts.map(({ $ref, properties }) => ($ref ? schemas[$ref.split('/').at(-1)!].properties : properties)),
  ) as Record<string, Schema>;
