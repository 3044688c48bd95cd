import type { Type } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import type { AnyClass } from '../../platform/any-class';
import type { ComponentsObject, SchemaObject } from './openapi-operations';
import { schemaRef } from './openapi-schemas';

const VARIANTS = 'tenantry:view-variants';
const ALTERNATIVES = 'tenantry:alternative-views';

/** A property of a view whose schema depends on the value of another one. */
interface Variants {
  /** The property that varies. */
  readonly property: string;
  /** The classes that describe it, by the value of the other property. */
  readonly schemas: () => ReadonlyMap<string, AnyClass>;
}

/**
 * Declares that one property of a view says which fields another one has. The API document then has
 * a schema for each value, so that typed clients know the fields after comparing the value.
 */
export function VariesBy(discriminator: string, variants: Variants) {
  return (view: AnyClass): void => Reflect.defineMetadata(VARIANTS, { ...variants, discriminator }, view);
}

const variantsOf = (view: AnyClass) =>
  Reflect.getOwnMetadata(VARIANTS, view) as (Variants & { readonly discriminator: string }) | undefined;

/**
 * A view that is one of several views, told apart by their required properties.
 * @param name the name of its schema
 */
export function eitherOf<const V extends readonly Type[]>(name: string, ...views: V): Type<InstanceType<V[number]>> {
  const either = class {};
  Object.defineProperty(either, 'name', { value: name });
  Reflect.defineMetadata(ALTERNATIVES, views, either);
  return either as Type<InstanceType<V[number]>>;
}

const alternativesOf = (view: AnyClass) => (Reflect.getOwnMetadata(ALTERNATIVES, view) ?? []) as readonly AnyClass[];

/** The classes that describe a property of any of these views, or are an alternative of one. */
export const variantClasses = (views: readonly AnyClass[]): AnyClass[] =>
  views.flatMap((view) => [...(variantsOf(view)?.schemas().values() ?? []), ...alternativesOf(view)]);

/**
 * Replaces the schema of each such view by the alternatives, each named by its value. Each of them
 * is complete: generators of validators cannot tell parts of `allOf` apart by a property.
 */
export function addVariants({ schemas = {} }: ComponentsObject, views: readonly AnyClass[]): void {
  for (const view of views) {
    const alternatives = alternativesOf(view);
    if (alternatives.length > 0)
      schemas[view.name] = { oneOf: alternatives.map((one) => ({ $ref: getSchemaPath(one) })) };
    const variants = variantsOf(view);
    if (!variants) continue;
    const { discriminator, property, schemas: classes } = variants;
    const common = schemas[view.name] as SchemaObject;
    for (const [value, { name }] of classes()) {
      const kind = { ...common.properties?.[discriminator], enum: [value] };
      schemas[value] = {
        ...common,
        properties: { ...common.properties, [discriminator]: kind, [property]: schemas[name] },
      };
      delete schemas[name];
    }
    schemas[view.name] = {
      oneOf: [...classes().keys()].map(schemaRef),
      discriminator: { propertyName: discriminator },
    };
  }
}
