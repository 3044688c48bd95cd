import type { OpenAPIObject } from '@nestjs/swagger';
import type { MessageType } from '../../platform/public-events';
import type { SchemaObject } from './openapi-operations';
import { objectOf, schemaRef } from './openapi-schemas';

/** The name of the schema that all messages have in common. */
const BASE = 'WebhookMessage';

const HEADERS = {
  'webhook-id': 'Identifies the message: the same in each attempt',
  'webhook-timestamp': 'When this attempt was made, in seconds since 1970',
  'webhook-signature': 'Signatures of `id.timestamp.body`, separated by spaces (docs/webhooks.md)',
};
/** `webhook-id` as WebhookId, `member.role_changed` as MemberRoleChanged. */
const pascalCase = (name: string) =>
  name.replace(/(^|[-._])([a-z])/g, (_match, _separator, letter: string) => letter.toUpperCase());

/**
 * Adds the types of messages to receivers of tenants (OpenAPI 3.1, Fixed Fields of the OpenAPI
 * Object). The schemas of their data are in the document.
 */
export function addWebhooks(document: OpenAPIObject, types: readonly MessageType[]): void {
  const components = (document.components ??= {});
  components.schemas![BASE] = {
    ...objectOf({
      type: { type: 'string', description: 'Type of the event', example: 'project.created' },
      timestamp: schemaRef('Timestamp'),
      tenantId: schemaRef('Id'),
      data: { description: 'Depends on `type`' },
    }),
    required: ['timestamp', 'tenantId'], // each message requires the others, which it narrows
  };
  components.parameters = {
    ...components.parameters,
    ...Object.fromEntries(
      Object.entries(HEADERS).map(([name, description]) => [
        pascalCase(name),
        { name, in: 'header' as const, required: true, description, schema: { type: 'string' } },
      ]),
    ),
  };
  const parameters = Object.keys(HEADERS).map((name) => ({ $ref: `#/components/parameters/${pascalCase(name)}` }));
  const webhooks = types.map(({ type, summary, schema }) => {
    const properties = { type: { enum: [type] }, data: schemaRef(schema.name) };
    const message: SchemaObject = { allOf: [schemaRef(BASE), { properties, required: Object.keys(properties) }] };
    const requestBody = { required: true, content: { 'application/json': { schema: message } } };
    const responses = { '2XX': { description: 'Received; anything else is tried again' } };
    const operationId = `on${pascalCase(type)}`;
    return [type, { post: { operationId, summary, security: [], parameters, requestBody, responses } }] as const;
  });
  Object.assign(document, { webhooks: Object.fromEntries(webhooks) });
}
