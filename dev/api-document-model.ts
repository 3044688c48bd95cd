/** Schemas by name. */
export type Schemas = Readonly<Record<string, Schema>>;

/** The parts of an OpenAPI document that a client depends on. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas?: Schemas;
    readonly responses?: Readonly<Record<string, Response>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
  readonly 'x-error-codes'?: readonly string[];
}

export interface Reference {
  readonly $ref?: string;
}

export interface Schema extends Reference {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  /** Alternatives that the value of one property tells apart. */
  readonly oneOf?: readonly Schema[];
  readonly discriminator?: { readonly propertyName: string };
}

export interface Media {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
export type Response = Media & Reference & { readonly headers?: Readonly<Record<string, object>> };

export interface Parameter extends Reference {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface Operation {
  readonly operationId?: string;
  /** Left out where the requirement of the document applies. */
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Media & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Response>>;
}

/** Whether clients send the values of a schema, or receive them. */
export type Direction = 'request' | 'response';

/** The object behind a reference. */
export function resolve<T extends Reference>(all: Readonly<Record<string, T>> | undefined, object: T): T {
  return object.$ref ? (all?.[object.$ref.split('/').at(-1)!] ?? object) : object;
}
