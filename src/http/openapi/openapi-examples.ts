import type { ComponentsObject, ReferenceObject, SchemaObject } from './openapi-operations';
import { schemaRef } from './openapi-schemas';

type Schema = SchemaObject | ReferenceObject;

/** Schemas of ids and times, which most views have. */
const SHARED: Record<string, SchemaObject> = {
  Id: { type: 'string', format: 'uuid', example: '0198c5d2-7c1e-7a52-b1f0-3a6d2f9e4b10' },
  Timestamp: { type: 'string', format: 'date-time', example: '2026-01-31T09:30:00.000Z' },
};
const SHARED_BY_FORMAT: Record<string, string | undefined> = { uuid: 'Id', 'date-time': 'Timestamp' };
/** Examples by the name of the property. */
const BY_NAME: Record<string, unknown> = {
  bypassesRowLevelSecurity: false,
  attempts: 1,
  cancelAtPeriodEnd: false,
  command: { tenantId: '0198c5d2-7c1e-7a52-b1f0-3a6d2f9e4b10' },
  corrected: 1,
  data: { name: 'Accountant' },
  day: '2026-01-31',
  dead: 0,
  accessToken: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9…',
  checkoutUrl: 'https://checkout.stripe.com/c/pay/cs_test_a1',
  email: 'ada@example.com',
  error: 'connection refused',
  eventId: 'evt_1SXk2pLkdIwH',
  events: 240,
  expiresIn: 900,
  failed: 0,
  exceptions: [],
  invitationsPerDay: 500,
  inviterName: 'Charles Babbage',
  ip: '203.0.113.7',
  isAdmin: false,
  isEmailVerified: true,
  key: null,
  keys: 50,
  maxAttempts: 25,
  medianSeconds: 1.2,
  memberCount: 4,
  name: 'Ada Lovelace',
  p95Seconds: 4.8,
  payload: { id: 'evt_1SXk2pLkdIwH', object: 'event' },
  permissions: ['tenant.projects.read'],
  pictureUrl: 'https://example.com/ada.png',
  projects: null,
  portalUrl: 'https://billing.stripe.com/p/session/bps_1',
  processorCustomerId: 'cus_U2f7Qd',
  processorSubscriptionId: 'sub_1SXk2p',
  processorStatus: 'active',
  provider: 'google',
  providerUserId: '103547991597142817347',
  recoveryCode: '8N5T-XK0C-41RM-ZQ7H-0VBD-92PA',
  refreshToken: 'wC3yLr0…',
  retrying: 1,
  requestId: '5f0c2a3e-9f3c-4a55-9d1e-0a9c8f2b7d61',
  role: 'Member',
  stepSeconds: 60,
  targetId: '0198c5d2-7c1e-7a52-b1f0-3a6d2f9e4b10',
  tenantName: 'Analytical Engines',
  ticket: 'q7Zk1vX…',
  token: 'q7Zk1vX…',
  trialDays: 14,
  type: 'customer.subscription.updated',
  unknown: 0,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0)',
  warnings: [],
};
/** Examples of names that mean something else in some schemas. */
const BY_SCHEMA: Record<string, Record<string, unknown>> = {
  ActiveTenantView: { name: 'Analytical Engines' },
  AdminTenantDetailView: { name: 'Analytical Engines' },
  AdminTenantView: { name: 'Analytical Engines' },
  JobsChangedView: { changed: ['42'], running: ['43'], missing: [] },
  PermissionView: { name: 'tenant.projects.read', description: 'View projects' },
  PlanView: { name: 'Pro' },
  ProjectView: { name: 'Difference Engine' },
  RegistrationsView: { day: '2026-01-31' },
  RoleView: { name: 'Accountant' },
  TenantView: { name: 'Analytical Engines' },
};
const BY_TYPE: Record<string, unknown> = { boolean: true, integer: 3 };

/**
 * Gives each property of the views and bodies that has no example of its own one by its name or
 * type, and lets ids and times refer to one schema.
 */
export function addExamples(components: ComponentsObject): void {
  const schemas = (components.schemas ??= {});
  for (const [name, schema] of Object.entries(schemas)) {
    if ('$ref' in schema || !schema.properties) continue;
    const examples = { ...BY_NAME, ...BY_SCHEMA[name] };
    schema.properties = mapValues(schema.properties, (property, its) => withExample(property, examples[its]));
  }
  Object.assign(schemas, SHARED);
}

function withExample(schema: Schema, byName?: unknown): Schema {
  if ('$ref' in schema || schema.example !== undefined) return schema;
  const { type, format, enum: values, anyOf, allOf, properties, description, ...rest } = schema;
  if (allOf?.length === 1 && Object.keys(schema).length === 1) return allOf[0]; // Nest wraps references to enums
  if (anyOf && isNullableText(anyOf))
    return withOwn({ description, ...rest, type: ['string', 'null'] as never }, byName);
  if (anyOf) return { ...withOwn(schema, byName), anyOf: anyOf.map(shared) };
  if (properties) return { ...schema, properties: mapValues(properties, (property) => withExample(property)) };
  if (description === undefined && Object.keys(rest).length === 0 && format && SHARED_BY_FORMAT[format])
    return shared(schema);
  if (format && byName === undefined) return withOwn(schema, SHARED[SHARED_BY_FORMAT[format] ?? '']?.example);
  if (values && description) return schema; // tools take the first value
  return withOwn(schema, byName ?? (values?.[0] as unknown) ?? BY_TYPE[String(type)]);
}

/** Whether these are the alternatives of a text without a format that may be null. */
const isNullableText = ([one, ...others]: readonly Schema[]) =>
  JSON.stringify([one, ...others]) === '[{"type":"string"},{"type":"null"}]';

const withOwn = (schema: SchemaObject, example: unknown): SchemaObject =>
  example === undefined ? schema : { ...schema, example };

/** A reference in place of a plain id or time. */
function shared(schema: Schema): Schema {
  if ('$ref' in schema || Object.keys(schema).some((key) => key !== 'type' && key !== 'format')) return schema;
  const name = SHARED_BY_FORMAT[schema.format ?? ''];
  return name ? schemaRef(name) : schema;
}

const mapValues = <T>(object: Record<string, T>, map: (value: T, name: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
