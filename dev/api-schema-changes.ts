import { resolve, type ApiDocument, type Direction, type Schema } from './api-document-model';

/** Compares the schemas of two API documents, each pair of shared ones once. */
export class SchemaComparison {
  private readonly seen = new Set<string>();

  constructor(
    private readonly before: ApiDocument,
    private readonly after: ApiDocument,
  ) {}

  /** The breaking changes from one schema to the other, one line each, beginning with `at`. */
  changes(one: Schema, other: Schema, at: string, direction: Direction): string[] {
    const key = `${one.$ref} ${other.$ref} ${direction}`;
    if (one.$ref && other.$ref) {
      if (this.seen.has(key)) return [];
      this.seen.add(key);
    }
    const old = merged(this.before, one);
    const now = merged(this.after, other);
    if (old.oneOf || now.oneOf) return this.variants(old, now, at, direction);
    return [
      ...typeChange(old, now, at),
      ...enumChange(old, now, at, direction),
      ...(direction === 'request' ? tightened(old, now, at) : []),
      ...this.properties(old, now, at, direction),
      ...(old.items && now.items ? this.changes(old.items, now.items, `${at}[]`, direction) : []),
      ...this.alternatives(old, now, at, direction),
    ];
  }

  /**
   * Compares variants of the same value, or at the same place if no property tells them apart. A
   * schema that has no variants, before or after, is compared with each of the other's.
   */
  private variants(old: Schema, now: Schema, at: string, direction: Direction): string[] {
    const areOrdered = old.oneOf && now.oneOf && !old.discriminator && !now.discriminator;
    const changes = (old.oneOf ?? [old]).flatMap((one, place) => {
      const value = valueOf(this.before, old, one);
      const same = (now.oneOf ?? [now]).filter((other, otherPlace) => {
        if (areOrdered) return place === otherPlace;
        const its = valueOf(this.after, now, other);
        return value === undefined || its === undefined || its === value;
      });
      if (same.length === 0 && direction === 'request')
        return [`${at}: the variant ${areOrdered ? place + 1 : String(value)} is removed`];
      return same.flatMap((other) => this.changes(one, other, at, direction));
    });
    return [...new Set(changes)];
  }

  private properties(old: Schema, now: Schema, at: string, direction: Direction): string[] {
    const changed = Object.entries(old.properties ?? {}).flatMap(([name, property]) => {
      const next = now.properties?.[name];
      const where = `${at}.${name}`;
      if (!next) return [`${where} is removed`];
      const [was, is] = [old.required?.includes(name) ?? false, now.required?.includes(name) ?? false];
      const optional = direction === 'request' ? !was && is && 'required' : was && !is && 'optional';
      return [...(optional ? [`${where} is now ${optional}`] : []), ...this.changes(property, next, where, direction)];
    });
    const added = Object.keys(now.properties ?? {}).filter(
      (name) => direction === 'request' && !old.properties?.[name] && now.required?.includes(name),
    );
    return [...changed, ...added.map((name) => `${at}.${name} is new and required`)];
  }

  /** Alternatives are compared in their order; `null` beside a schema is one of them. */
  private alternatives(old: Schema, now: Schema, at: string, direction: Direction): string[] {
    const [was, is] = [old.anyOf ?? [], now.anyOf ?? []];
    if (was.length === 0 && is.length === 0) return [];
    const fewer = direction === 'request' ? is.length < was.length : is.length > was.length;
    if (fewer) return [`${at} has other alternatives`];
    return was.slice(0, is.length).flatMap((schema, index) => this.changes(schema, is[index], at, direction));
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

/** The bounds of a value that a request must now keep, and did not have to before. */
function tightened(old: Schema, now: Schema, at: string): string[] {
  const lower = (['minLength', 'minimum', 'minItems'] as const).filter((name) => (now[name] ?? 0) > (old[name] ?? 0));
  const upper = (['maxLength', 'maximum', 'maxItems'] as const).filter(
    (name) => (now[name] ?? Infinity) < (old[name] ?? Infinity),
  );
  const form = (['pattern', 'format'] as const).filter(
    (name) => now[name] !== undefined && withPlainSlashes(now[name]) !== withPlainSlashes(old[name]),
  );
  return [...lower, ...upper, ...form].map((name) => `${at}: ${name} is now ${now[name]}`);
}

/** The same pattern, in whichever way it writes a slash. */
const withPlainSlashes = (pattern = '') => pattern.replaceAll(/\\\/|\[\/\]/g, '/');

/** The value that tells a variant from the others. */
const valueOf = (document: ApiDocument, { discriminator }: Schema, variant: Schema): unknown =>
  discriminator && merged(document, variant).properties?.[discriminator.propertyName]?.enum?.[0];

/** The schema behind a reference, with the parts of `allOf` merged into it. */
function merged(document: ApiDocument, schema: Schema): Schema {
  const { allOf = [], ...own } = resolve(document.components.schemas, schema);
  return allOf.map((part) => merged(document, part)).reduce<Schema>((one, other) => both(document, one, other), own);
}

/** A schema for values that satisfy both. */
function both(document: ApiDocument, one: Schema, other: Schema): Schema {
  const properties = { ...one.properties };
  for (const [name, property] of Object.entries(other.properties ?? {})) {
    const known = properties[name];
    properties[name] = known ? both(document, merged(document, known), merged(document, property)) : property;
  }
  return { ...one, ...other, properties, required: [...(one.required ?? []), ...(other.required ?? [])] };
}
