/** The parts of an OpenAPI document that a client depends on. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Response>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
  readonly 'x-error-codes'?: readonly string[];
}

interface Reference {
  readonly $ref?: string;
}

interface Schema extends Reference {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Media {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
type Response = Media & Reference;

interface Parameter extends Reference {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Media & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Response>>;
}

/** Whether clients send the values of a schema, or receive them. */
type Direction = 'request' | 'response';

/**
 * The changes from one API document to the next that can break a client, one line each: a removed
 * operation, parameter, response or property; something that a request must now have; a value that
 * a request may no longer have; another type; an error code that an operation no longer has, which
 * typed clients may name.
 */
export function breakingChanges(before: ApiDocument, after: ApiDocument): string[] {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const next = after.paths[path]?.[method];
      if (!next) return [`${name}: removed`];
      return new OperationComparison(before, after, name).compare(operation, next);
    }),
  );
}

/**
 * The breaking changes whose operation (`GET /tenants`) is not named under `### Breaking` in the
 * Unreleased section of a changelog.
 */
export function unannounced(changes: readonly string[], changelog: string): string[] {
  const unreleased = changelog.split(/^## /m).find((section) => section.startsWith('[Unreleased]')) ?? '';
  const breaking = unreleased.split(/^### /m).find((section) => section.startsWith('Breaking')) ?? '';
  const named = new Set<string>(breaking.match(/[A-Z]+ \/[^\s`,;]*/g));
  return changes.filter((change) => {
    const operation = change.slice(0, change.indexOf(':')).replace('/api/v1', '');
    return !named.has(operation);
  });
}

class OperationComparison {
  private readonly seen = new Set<string>();

  constructor(
    private readonly before: ApiDocument,
    private readonly after: ApiDocument,
    private readonly name: string,
  ) {}

  compare(one: Operation, other: Operation): string[] {
    const isRenamed = one.operationId !== other.operationId;
    return [
      ...(isRenamed ? [`${this.name}: operationId ${one.operationId} is now ${other.operationId}`] : []),
      ...this.parameters(one, other),
      ...this.body(one, other),
      ...this.responses(one, other),
    ];
  }

  private parameters(one: Operation, other: Operation): string[] {
    const old = (one.parameters ?? []).map((parameter) => resolve(this.before.components.parameters, parameter));
    const now = (other.parameters ?? []).map((parameter) => resolve(this.after.components.parameters, parameter));
    const find = (list: readonly Parameter[], wanted: Parameter) =>
      list.find(({ name, in: place }) => name === wanted.name && place === wanted.in);
    const changed = old.flatMap((parameter) => {
      const next = find(now, parameter);
      const at = `${this.name}: parameter ${parameter.name}`;
      if (!next) return [`${at} is removed`];
      const isNewlyRequired = next.required && !parameter.required;
      return [
        ...(isNewlyRequired ? [`${at} is now required`] : []),
        ...this.schemas(parameter.schema ?? {}, next.schema ?? {}, at, 'request'),
      ];
    });
    const added = now.filter((parameter) => parameter.required && !find(old, parameter));
    return [...changed, ...added.map(({ name }) => `${this.name}: parameter ${name} is new and required`)];
  }

  private body(one: Operation, other: Operation): string[] {
    const at = `${this.name}: body`;
    if (one.requestBody && !other.requestBody) return [`${at} is removed`];
    if (!one.requestBody) return other.requestBody?.required ? [`${at} is new and required`] : [];
    const isNewlyRequired = other.requestBody!.required && !one.requestBody.required;
    return [
      ...(isNewlyRequired ? [`${at} is now required`] : []),
      ...this.media(one.requestBody, other.requestBody!, at, 'request'),
    ];
  }

  private responses(one: Operation, other: Operation): string[] {
    return Object.entries(one.responses).flatMap(([status, response]) => {
      const at = `${this.name}: response ${status}`;
      const next = other.responses[status];
      if (!next) return [`${at} is removed`];
      const [old, now] = [
        resolve(this.before.components.responses, response),
        resolve(this.after.components.responses, next),
      ];
      return this.media(old, now, at, 'response');
    });
  }

  private media(one: Media, other: Media, at: string, direction: Direction): string[] {
    return Object.entries(one.content ?? {}).flatMap(([type, { schema }]) => {
      const next = other.content?.[type];
      if (!next) return [`${at}: ${type} is removed`];
      return this.schemas(schema ?? {}, next.schema ?? {}, at, direction);
    });
  }

  private schemas(one: Schema, other: Schema, at: string, direction: Direction): string[] {
    const key = `${one.$ref} ${other.$ref} ${direction}`;
    if (one.$ref && other.$ref) {
      if (this.seen.has(key)) return [];
      this.seen.add(key);
    }
    const old = resolve(this.before.components.schemas, one);
    const now = resolve(this.after.components.schemas, other);
    return [
      ...typeChange(old, now, at),
      ...enumChange(old, now, at, direction),
      ...this.properties(old, now, at, direction),
      ...(old.items && now.items ? this.schemas(old.items, now.items, `${at}[]`, direction) : []),
      ...this.alternatives(old, now, at, direction),
    ];
  }

  private properties(old: Schema, now: Schema, at: string, direction: Direction): string[] {
    const changed = Object.entries(old.properties ?? {}).flatMap(([name, property]) => {
      const next = now.properties?.[name];
      const where = `${at}.${name}`;
      if (!next) return [`${where} is removed`];
      const [was, is] = [old.required?.includes(name) ?? false, now.required?.includes(name) ?? false];
      const optional = direction === 'request' ? !was && is && 'required' : was && !is && 'optional';
      return [...(optional ? [`${where} is now ${optional}`] : []), ...this.schemas(property, next, where, direction)];
    });
    const added = Object.keys(now.properties ?? {}).filter(
      (name) => direction === 'request' && !old.properties?.[name] && now.required?.includes(name),
    );
    return [...changed, ...added.map((name) => `${at}.${name} is new and required`)];
  }

  /** Alternatives are compared in their order; `null` beside a schema is one of them. */
  private alternatives(old: Schema, now: Schema, at: string, direction: Direction): string[] {
    const [was, is] = [old.anyOf ?? old.allOf ?? [], now.anyOf ?? now.allOf ?? []];
    if (was.length === 0 && is.length === 0) return [];
    const fewer = direction === 'request' ? is.length < was.length : is.length > was.length;
    if (fewer) return [`${at} has other alternatives`];
    return was.slice(0, is.length).flatMap((schema, index) => this.schemas(schema, is[index], at, direction));
  }
}

function typeChange(old: Schema, now: Schema, at: string): string[] {
  const [was, is] = [old, now].map(({ type }) => [type ?? []].flat().sort().join('|'));
  return was === is || was === '' ? [] : [`${at} was ${was}, is ${is || 'anything'}`];
}

/** Clients must expect new values in responses, but may name every error code. */
function enumChange(old: Schema, now: Schema, at: string, direction: Direction): string[] {
  if (!now.enum || (direction === 'response' && !at.endsWith('.error.code'))) return [];
  if (!old.enum) return [`${at} is restricted to some values`];
  const allowed = now.enum;
  return old.enum.filter((value) => !allowed.includes(value)).map((value) => `${at}: ${String(value)} is removed`);
}

/** The object behind a reference. */
function resolve<T extends Reference>(all: Readonly<Record<string, T>> | undefined, object: T): T {
  return object.$ref ? (all?.[object.$ref.split('/').at(-1)!] ?? object) : object;
}
