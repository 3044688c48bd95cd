import type { AnyClass } from '../../platform/any-class';
import type { ComponentsObject, SchemaObject } from './openapi-operations';
import { schemaRef } from './openapi-schemas';

type Properties = NonNullable<SchemaObject['properties']>;

/**
 * Lets the schema of a view that extends another one refer to it, and name only what it adds. A
 * view that changes a property of the other one keeps a schema of its own.
 */
export function shareInherited({ schemas = {} }: ComponentsObject, views: readonly AnyClass[]): void {
  const complete = new Map(Object.entries(schemas as Record<string, SchemaObject>));
  for (const view of views) {
    const schema = complete.get(view.name);
    const parent = ancestorsOf(view).find((name) => complete.has(name));
    const inherited = parent === undefined ? undefined : complete.get(parent);
    if (schema?.properties && inherited?.properties && includesAll(schema.properties, inherited.properties))
      schemas[view.name] = { allOf: [schemaRef(parent!), withoutInherited(schema, inherited.properties)] };
  }
}

/** The names of the classes that a class extends, the nearest first. */
function ancestorsOf(view: AnyClass): string[] {
  const parent = Object.getPrototypeOf(view) as AnyClass;
  return parent.name === '' ? [] : [parent.name, ...ancestorsOf(parent)];
}

const includesAll = (properties: Properties, inherited: Properties): boolean =>
  Object.entries(inherited).every(([name, schema]) => JSON.stringify(properties[name]) === JSON.stringify(schema));

function withoutInherited({ properties, required, ...rest }: SchemaObject, inherited: Properties): SchemaObject {
  const added = Object.entries(properties!).filter(([name]) => !(name in inherited));
  const names = required?.filter((name) => !(name in inherited)) ?? [];
  return { ...rest, properties: Object.fromEntries(added), ...(names.length > 0 ? { required: names } : {}) };
}
