import type { OpenAPIObject } from '@nestjs/swagger';
import { resolve, type Reference, type Schema, type Schemas } from '../../dev/api-document-model';
import { exampleOf } from './schema-examples';

interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema?: Schema } };
}
/** The parts of an operation that can contain ids. */
interface Described {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & Reference>>;
}

/** An operation of the API document. */
export interface DocumentedOperation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  /** The names of the fields of its body that are ids. */
  readonly idsInBody: readonly string[];
  /** Whether its success contains ids. */
  readonly returnsIds: boolean;
  /** A valid body, with the given ids by the names of their fields; undefined if it has none. */
  readonly bodyWith: (ids: Readonly<Record<string, string>>) => object | undefined;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The operations of a document, with the ids in their bodies and responses. */
export function operationsWithIds(document: OpenAPIObject): DocumentedOperation[] {
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  const responses = (document.components?.responses ?? {}) as Record<string, Content>;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => {
      const { requestBody, responses: declared } = item[method] as unknown as Described;
      const success = Object.keys(declared).find((status) => status.startsWith('2'));
      const response = success && resolve<Content & Reference>(responses, declared[success]);
      const body = requestBody?.content?.['application/json']?.schema;
      return {
        method,
        path,
        idsInBody: body ? idFieldsOf(body, schemas) : [],
        returnsIds: Boolean(response && hasId(response.content?.['application/json']?.schema ?? {}, schemas)),
        bodyWith: (ids) => body && bodyWith(body, schemas, ids),
      };
    }),
  );
}

/** A collection of a tenant: rows are made by a POST to its path, and have a path of their own. */
interface Collection extends Pick<DocumentedOperation, 'bodyWith'> {
  readonly name: string;
  /** Its path without the prefix of all. */
  readonly path: string;
}

/** The collections directly below a tenant. */
export const collectionsOfTenants = (operations: readonly DocumentedOperation[]): Collection[] =>
  operations.flatMap(({ method, path, bodyWith }) => {
    const [, below, name] = /^\/api\/v1(\/tenants\/current\/([\w-]+))$/.exec(path) ?? [];
    const hasRows = operations.some((other) => other.path.startsWith(`${path}/{`));
    return method === 'post' && name && hasRows ? [{ name, path: below, bodyWith }] : [];
  });

/** Whether a value is an id, a list of ids, or either or null. */
function isId(schema: Schema, schemas: Schemas): boolean {
  const { format, items, anyOf = [], allOf = [] } = resolve(schemas, schema);
  return format === 'uuid' || [...anyOf, ...allOf, ...(items ? [items] : [])].some((part) => isId(part, schemas));
}

function idFieldsOf(body: Schema, schemas: Schemas): string[] {
  const { properties = {} } = resolve(schemas, body);
  return Object.keys(properties).filter((name) => isId(properties[name], schemas));
}

/** Whether a schema contains an id anywhere. */
function hasId(schema: Schema, schemas: Schemas): boolean {
  const { properties = {}, allOf = [], anyOf = [], oneOf = [], items, format } = resolve(schemas, schema);
  return (
    format === 'uuid' ||
    [...Object.values(properties), ...allOf, ...anyOf, ...oneOf, ...(items ? [items] : [])].some((part) =>
      hasId(part, schemas),
    )
  );
}

function bodyWith(schema: Schema, schemas: Schemas, ids: Readonly<Record<string, string>>): object {
  const { properties = {} } = resolve(schemas, schema);
  const filled = idFieldsOf(schema, schemas).map((name) => {
    // a plain name is that of a collection, as in paths: `projectId` belongs to `projects`
    const id = ids[name] ?? ids[name.replace(/Ids?$/, 's')];
    if (!id) throw new Error(`no id for the field ${name} of a body: add one to belongings`);
    return [name, properties[name].items ? [id] : id] as const;
  });
  return { ...(exampleOf(schema, schemas) as object), ...Object.fromEntries(filled) };
}
