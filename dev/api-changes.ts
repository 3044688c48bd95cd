import {
  resolve,
  type ApiDocument,
  type Direction,
  type Media,
  type Operation,
  type Parameter,
} from './api-document-model';
import { SchemaComparison } from './api-schema-changes';

/**
 * The changes from one API document to the next that can break a client, one line each: a removed
 * operation, parameter, response, header or property; something that a request must now have; a
 * value that a request may no longer have; another type; an error code that an operation no longer
 * has, which typed clients may name.
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
  private readonly schemas: SchemaComparison;

  constructor(
    private readonly before: ApiDocument,
    private readonly after: ApiDocument,
    private readonly name: string,
  ) {
    this.schemas = new SchemaComparison(before, after);
  }

  compare(one: Operation, other: Operation): string[] {
    const isRenamed = one.operationId !== other.operationId;
    return [
      ...(isRenamed ? [`${this.name}: operationId ${one.operationId} is now ${other.operationId}`] : []),
      ...this.security(one, other),
      ...this.parameters(one, other),
      ...this.body(one, other),
      ...this.responses(one, other),
    ];
  }

  /** No requirement, or an empty one among them, makes an operation public. */
  private security({ security: was }: Operation, { security: is }: Operation): string[] {
    const isPublic = (security?: readonly object[]) =>
      security !== undefined && (security.length === 0 || security.some((one) => Object.keys(one).length === 0));
    return isPublic(was) && !isPublic(is) ? [`${this.name}: now requires authentication`] : [];
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
        ...this.schemas.changes(parameter.schema ?? {}, next.schema ?? {}, at, 'request'),
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
      const headers = Object.keys(old.headers ?? {}).filter((name) => !now.headers?.[name]);
      return [...headers.map((name) => `${at}: header ${name} is removed`), ...this.media(old, now, at, 'response')];
    });
  }

  private media(one: Media, other: Media, at: string, direction: Direction): string[] {
    return Object.entries(one.content ?? {}).flatMap(([type, { schema }]) => {
      const next = other.content?.[type];
      if (!next) return [`${at}: ${type} is removed`];
      return this.schemas.changes(schema ?? {}, next.schema ?? {}, at, direction);
    });
  }
}
