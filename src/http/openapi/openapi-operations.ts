import type { OpenAPIObject } from '@nestjs/swagger';
import { IN_TENANT, NEEDS, OWNER_NEEDED, PEOPLE_ONLY } from '../access/access';

export type ComponentsObject = NonNullable<OpenAPIObject['components']>;
export type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;
export interface ReferenceObject {
  $ref: string;
}
export type SchemaObject = Exclude<NonNullable<ComponentsObject['schemas']>[string], ReferenceObject>;
export type ResponseObject = Exclude<NonNullable<ComponentsObject['responses']>[string], ReferenceObject>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** An operation with its method and path. */
export interface RoutedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

/** All operations of a document, in its order. */
export const operationsIn = ({ paths }: OpenAPIObject): RoutedOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ method, path, operation: item[method] }] : [])),
  );

/** The value of an extension of an operation. */
export const extensionOf = <T>(operation: OperationObject, name: string): T | undefined =>
  (operation as unknown as Record<string, T | undefined>)[name];

/** The same, and removes it from the document. */
export function takeExtension<T>(operation: OperationObject, name: string): T | undefined {
  const value = extensionOf<T>(operation, name);
  delete (operation as unknown as Record<string, T | undefined>)[name];
  return value;
}

/** Whether an operation admits keys: it requires a permission, and is not only for people. */
export const admitsKeysIn = (operation: OperationObject): boolean =>
  Boolean(extensionOf<string>(operation, NEEDS)?.startsWith('tenant.')) && !extensionOf(operation, PEOPLE_ONLY);

/** Whether an operation acts in the active tenant (see `actsInTenant`). */
export const actsInTenantIn = (operation: OperationObject): boolean => {
  const needed = extensionOf<string>(operation, NEEDS);
  return needed?.startsWith('tenant.') || needed === OWNER_NEEDED || extensionOf(operation, IN_TENANT) === true;
};
