import { resolve, type Schema, type Schemas } from '../../dev/api-document-model';

/**
 * Names the properties that have neither a description nor an example, themselves or in their
 * parts.
 */
export const undescribed = (schemas: Schemas): string[] =>
  Object.entries(schemas).flatMap(([name, schema]) =>
    Object.entries(ownProperties(schema)).flatMap(([property, its]) =>
      isDescribed(its, schemas) ? [] : [`${name}.${property}`],
    ),
  );

/** The properties that a schema adds itself. Parts without a type narrow those of other parts. */
const ownProperties = ({ properties, allOf = [] }: Schema): Readonly<Record<string, Schema>> =>
  Object.assign({}, properties, ...allOf.filter(({ type }) => type).map(ownProperties)) as Record<string, Schema>;

function isDescribed(schema: Schema, schemas: Schemas): boolean {
  if (schema.description !== undefined || schema.example !== undefined) return true;
  if (schema.$ref) {
    const { description, example, enum: values } = resolve(schemas, schema);
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
  if (schema.$ref) return exampleOf(resolve(schemas, schema), schemas, schema.$ref.split('/').at(-1));
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
  throw new Error(`${name} has no example`);
}

/** The properties of the parts of an object; a later part narrows those of an earlier one. */
const propertiesOf = (parts: readonly Schema[], schemas: Schemas): Readonly<Record<string, Schema>> =>
  Object.assign(
    {},
    ...parts.map((part) => {
      const { properties, allOf = [] } = resolve(schemas, part);
      return { ...propertiesOf(allOf, schemas), ...properties };
    }),
  ) as Record<string, Schema>;
