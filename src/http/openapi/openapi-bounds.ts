import type { OpenAPIObject } from '@nestjs/swagger';
import { maxHeaderSize } from 'node:http';
import { MAX_BODY_BYTES } from '../requests/json-body.middleware';
import { MAX_ITEMS } from '../requests/json-limits';

/** The bounds of values whose schema has none. */
interface Bounds {
  /** Characters of a text. */
  readonly text: number;
  readonly items: number;
}

/** A value in a body: the service reads no larger body, and none with more items. */
const RECEIVED: Bounds = { text: MAX_BODY_BYTES, items: MAX_ITEMS };
/** A header, or a part of an address: Node reads no longer ones. */
const IN_HEAD: Bounds = { text: maxHeaderSize, items: MAX_ITEMS };
/**
 * A value in a response. What clients and partners send is bounded by their bodies; lists are pages
 * or have a limit (docs/contract.md, Data formats).
 */
const SENT: Bounds = { text: 2 ** 20, items: 1000 };

/** The longest text of each format. */
const BY_FORMAT: Readonly<Record<string, number | undefined>> = {
  uuid: 36,
  date: 10,
  'date-time': 35, // with nine decimals and an offset
  email: 254,
};

type Json = Readonly<Record<string, unknown>>;

/**
 * The document, with bounds for every text, list and number that has none of its own: from its
 * format or pattern, else those of all bodies, headers or responses.
 */
export function withBounds(document: OpenAPIObject): OpenAPIObject {
  const { components = {}, paths, webhooks, ...others } = document as OpenAPIObject & { webhooks?: object };
  const { schemas = {}, headers, parameters, responses, ...otherComponents } = components;
  const received = reachable([paths, parameters], schemas, ['responses']);
  const sent = reachable([paths, responses, webhooks], schemas, ['parameters', 'requestBody']);
  const ofSchema = (name: string) => (received.has(name) && !sent.has(name) ? RECEIVED : SENT);
  return {
    ...others,
    paths: bounded(paths, RECEIVED),
    ...(webhooks ? { webhooks: bounded(webhooks, SENT) } : {}),
    components: {
      ...otherComponents,
      schemas: Object.fromEntries(Object.entries(schemas).map(([name, its]) => [name, bounded(its, ofSchema(name))])),
      responses: bounded(responses, SENT),
      parameters: bounded(parameters, IN_HEAD),
      headers: bounded(headers, IN_HEAD),
    },
  };
}

/** The names of the schemas to which parts of a document refer, also through other schemas. */
function reachable(parts: readonly unknown[], schemas: Json, without: readonly string[]): Set<string> {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      const name = key === '$ref' ? /^#\/components\/schemas\/(.*)$/.exec(String(value))?.[1] : undefined;
      if (name !== undefined && !names.has(name)) visit(schemas[names.add(name) && name]);
      else if (!without.includes(key)) visit(value);
    }
  };
  parts.forEach(visit);
  return names;
}

/** Examples, and files and streams, which no length in characters bounds. */
const UNBOUNDED = /^(examples?|text\/.*|image\/.*)$/;

/** The same part of a document, in which each schema has bounds. */
function bounded<T>(node: T, bounds: Bounds): T {
  if (Array.isArray(node)) return node.map((item: unknown) => bounded(item, bounds)) as T;
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [
    key,
    UNBOUNDED.test(key) ? (value as unknown) : bounded(value as unknown, boundsBelow(key, bounds)),
  ]);
  const copy = Object.fromEntries(entries) as Json;
  return { ...copy, ...missingBounds(copy, bounds) } as T;
}

const boundsBelow = (key: string, bounds: Bounds): Bounds =>
  key === 'responses' ? SENT : key === 'parameters' || key === 'headers' ? IN_HEAD : bounds;

/** What a schema does not say of its values. */
function missingBounds(schema: Json, bounds: Bounds): Json {
  const types = [schema.type].flat();
  const values = schema.enum as unknown[] | undefined;
  if (values) return types.includes('integer') ? range(rangeOf(values.map(Number))) : {};
  if (types.includes('string') && schema.maxLength === undefined)
    return { maxLength: BY_FORMAT[String(schema.format)] ?? longestMatch(schema.pattern) ?? bounds.text };
  if (types.includes('array') && schema.maxItems === undefined) return { maxItems: bounds.items };
  if (types.includes('integer')) return range(schema);
  return types.includes('number') && schema.format === undefined ? { format: 'double' } : {};
}

/** The range of whole numbers: its own, or those that JavaScript represents exactly. */
function range({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER, format }: Json): Json {
  const isSmall = Number(minimum) >= -(2 ** 31) && Number(maximum) < 2 ** 31;
  return { minimum, maximum, format: format ?? (isSmall ? 'int32' : 'int64') };
}

const rangeOf = (values: readonly number[]) => ({ minimum: Math.min(...values), maximum: Math.max(...values) });

/** A part of a pattern that matches one character, and how often. */
const PART = /(?:\[[^\]]+\]|\\[dw/]|[\w/:-])(?:\{(?:\d+,)?(\d+)\})?/y;

/** The length of the longest text that a simple pattern matches; undefined for another one. */
export function longestMatch(pattern: unknown): number | undefined {
  const parts = /^\^([^|()?*+]+)\$$/.exec(typeof pattern === 'string' ? pattern : '')?.[1];
  if (parts === undefined) return undefined;
  let length = 0;
  for (PART.lastIndex = 0; PART.lastIndex < parts.length;) {
    const part = PART.exec(parts);
    if (!part) return undefined;
    length += Number(part[1] ?? 1);
  }
  return length;
}
