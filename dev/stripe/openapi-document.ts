import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of a JSON schema that the validators read. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly maxLength?: number;
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly schema: Schema;
    readonly required?: boolean;
  }[];
  readonly requestBody?: {
    readonly content: { readonly 'application/x-www-form-urlencoded': { readonly schema: Schema } };
  };
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

let loaded: ApiDocument | undefined;

/**
 * The OpenAPI document of the Stripe API. It is read on first use, to keep the start fast.
 */
export function openApiDocument(): ApiDocument {
  loaded ??= JSON.parse(readFileSync(join(process.cwd(), 'dev', 'stripe', 'openapi.json'), 'utf8')) as ApiDocument;
  return loaded;
}
