import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Settings } from '../../config/settings';
import { auditActions } from '../../platform/audit-actions';
import { messageTypes } from '../../platform/public-events';
import { sourceClasses } from '../../platform/source-classes';
import { IN_TENANT, NEEDS, NOT_WHILE_IMPERSONATING, PEOPLE_ONLY } from '../access/access';
import { isWrite } from '../idempotency/idempotency-key';
import { SharedComponents } from './openapi-components';
import { addIdempotencyKeys, hasIdempotencyKey } from './openapi-idempotency';
import { withBounds } from './openapi-bounds';
import { addExamples } from './openapi-examples';
import { shareInherited } from './inherited-views';
import { failuresByStatus, transportFailures } from './openapi-failures';
import { headersOf, OperationHeaders } from './openapi-headers';
import {
  admitsKeysIn,
  extensionOf,
  operationsIn,
  takeExtension,
  type OperationObject,
  type ResponseObject,
  type RoutedOperation,
} from './openapi-operations';
import { shareParameters } from './openapi-parameters';
import { addRequestHeaders } from './openapi-request-headers';
import { addWebhooks } from './openapi-webhooks';
import { packageVersion } from './package-version';
import { REDIRECT_ERROR_CODES, SUCCESS, type SuccessSpec } from './openapi-responses.decorator';
import { describeValidation } from './validation-bounds';
import { addVariants, variantClasses } from './view-variants';

/** The tags of the document, in the order in which a client developer needs them. */
const TAGS = {
  auth: 'Register, sign in and out, refresh tokens, get the current user',
  passwordless: 'Sign in with Google, GitHub and emailed links',
  passwords: 'Set, change and reset the password',
  factors: 'Second factors: authenticator app, recovery codes, trusted browsers, confirmation of the identity',
  passkeys: 'Sign in with passkeys, and manage them',
  sessions: 'List and end sessions',
  users: 'The profile of the current user',
  tenants: 'Create, rename and delete tenants, transfer the ownership',
  members: 'Members of the active tenant',
  roles: 'Roles and permissions of the active tenant',
  invitations: 'Invite users to the active tenant, accept invitations',
  keys: 'Service accounts and API keys of the active tenant, personal tokens',
  projects: 'Projects of the active tenant (the example module)',
  notifications: 'Notifications of the current user, as a list and as a stream',
  billing: 'Plans, checkout, customer portal and subscription of the active tenant',
  audit: 'Audit log of the active tenant',
  'audit-streams': 'Receivers of the audit log of the active tenant',
  'webhook-endpoints': 'Webhook endpoints of the active tenant, and their deliveries',
  admin: 'Operations for global admins',
  webhooks: 'Events from Stripe',
  operations: 'Health checks',
};

const DESCRIPTION = `
A success is \`{"success":true,"data":…}\`, a failure \`{"success":false,"error":{"code","message","details"?}}\`.
Branch on \`error.code\`; \`x-error-codes\` lists all codes.

Sign in to get an access token and a refresh token.
Send the access token as a bearer token, and refresh it when it expires.
A program sends an API key instead, to the operations that list \`apiKey\`.

While requests are limited, responses have \`RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` (seconds).
A request may have an id of its own in \`X-Request-Id\`, which its response and the log of the service repeat.`.trim();

const ACCESS_TOKEN = 'The access token, issued and verified as RFC8725 recommends';

const REFRESH_COOKIE =
  'The refresh token of a browser session, HttpOnly, set by sign-in responses; over HTTPS its name is ' +
  '`__Host-refresh_token`. `refresh_token_panel` with ' +
  '`X-Session: panel`. POST /auth/refresh and /auth/logout accept it in place of `refreshToken`.';

const API_KEY =
  'A key of a service account (`tnk_…`) or a personal token (`tnp_…`), as a bearer token; docs/api-keys.md.';

/** Operations that accept the session cookie. */
const REFRESH_COOKIE_PATHS = ['/auth/refresh', '/auth/logout'];

/** Extension of the document that lists all error codes, of responses and of redirects. */
const ERROR_CODES = 'x-error-codes';
/** Extension of the document that lists all actions of the audit log. */
const AUDIT_ACTIONS = 'x-audit-actions';

/** The same as in package.json and README.md. */
const LICENSE = 'UNLICENSED: all rights reserved until the owner chooses';

/** The documents of applications, each of which is made once. */
const documents = new WeakMap<INestApplication, OpenAPIObject>();

/** The OpenAPI 3.1 document of all routes below /api/v1. */
export function openApiDocument(app: INestApplication, settings: Settings): OpenAPIObject {
  const document = documents.get(app) ?? describeRoutes(app, settings);
  documents.set(app, document);
  return document;
}

function describeRoutes(app: INestApplication, { baseUrl }: Settings): OpenAPIObject {
  describeValidation();
  const views = sourceClasses('views');
  const messages = messageTypes();
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Tenantry')
    .setDescription(DESCRIPTION)
    .setVersion(packageVersion())
    .addServer(baseUrl)
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: ACCESS_TOKEN })
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: API_KEY }, 'apiKey')
    .addCookieAuth('refresh_token', { type: 'apiKey', in: 'cookie', description: REFRESH_COOKIE }, 'refreshCookie');
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_controller, method) => method,
    autoTagControllers: false,
    extraModels: [...variantClasses(views), ...messages.map(({ schema }) => schema)],
  });
  document.servers = document.servers?.map((server) => ({ ...server, 'x-internal': false }));
  document.info.license = Object.assign({ name: LICENSE }, { identifier: 'LicenseRef-UNLICENSED' });
  const components = (document.components ??= {});
  const responses = new SharedComponents(components);
  addExamples(components);
  addVariants(components, views);
  shareInherited(components, views);
  addIdempotencyKeys(document);
  shareParameters(document);
  const errorCodes = operationsIn(document).flatMap((routed) => {
    const { path, operation } = routed;
    operation.operationId = stableId(operation.operationId!, path);
    operation.security ??= []; // explicit: no authentication
    const codes = addResponses(routed, responses);
    if (admitsKeysIn(operation)) operation.security = [{ bearer: [] }, { apiKey: [] }];
    if (REFRESH_COOKIE_PATHS.some((suffix) => path.endsWith(suffix))) operation.security = [{ refreshCookie: [] }, {}];
    operation.description = describe(operation);
    return [...codes, ...(extensionOf<string[]>(operation, REDIRECT_ERROR_CODES) ?? [])];
  });
  shareSecurity(document);
  addRequestHeaders(document);
  addWebhooks(document, messages);
  return Object.assign(withBounds(document), {
    [ERROR_CODES]: [...new Set(errorCodes)].sort(),
    [AUDIT_ACTIONS]: auditActions(sourceClasses()),
  });
}

/** Declares the access token once for all operations; those with others, or without it, say so. */
function shareSecurity(document: OpenAPIObject): void {
  document.security = [{ bearer: [] }];
  for (const { operation } of operationsIn(document))
    if (operation.security?.every((requirement) => 'bearer' in requirement) && operation.security.length > 0)
      delete operation.security;
}

/**
 * The id of an operation. A method with several paths has an index for each, which gives way to the
 * last segment of the path: `receiveEvent[0]` of /webhooks/stripe is `receiveStripeEvent`.
 */
function stableId(id: string, path: string): string {
  const segment = path.split('/').at(-1)!;
  return id.replace(/^([a-z]+)(.*)\[\d+\]$/, `$1${segment[0].toUpperCase()}${segment.slice(1)}$2`);
}

/** Adds the responses that an operation declares. @returns all its error codes */
function addResponses(routed: RoutedOperation, shared: SharedComponents): string[] {
  const { operation } = routed;
  const headers = new OperationHeaders(routed);
  for (const own of Object.values(operation.responses) as ResponseObject[])
    own.headers = { ...headersOf(headers.ofSuccess), ...own.headers };
  const success = takeExtension<SuccessSpec>(operation, SUCCESS);
  if (success) operation.responses[success.status] = shared.success(success, headers.ofSuccess);
  const failures = failuresByStatus(operation);
  for (const [status, ofStatus] of failures)
    operation.responses[status] = shared.failure(ofStatus, headers.ofFailures(status, ofStatus));
  const transport = transportFailures(operation);
  operation.responses.default = shared.defaultFailure(defaultName(routed), transport, headers.ofTransport);
  return [...failures.values(), transport].flat().map(({ code }) => code);
}

/** The name of the default response, which depends on the failures of the transport. */
function defaultName({ method, operation }: RoutedOperation): string {
  const ofUnkeyed = isWrite({ method: method.toUpperCase() }) ? 'Command' : '';
  return `${hasIdempotencyKey(operation) ? 'Write' : ofUnkeyed}${operation.requestBody ? 'BodyError' : 'AnyError'}`;
}

/** The operation's description, with the conditions that its guards declare. */
function describe(operation: OperationObject): string | undefined {
  const needed = takeExtension<string>(operation, NEEDS);
  const isRefused = takeExtension<true>(operation, NOT_WHILE_IMPERSONATING);
  takeExtension<true>(operation, PEOPLE_ONLY);
  takeExtension<true>(operation, IN_TENANT);
  const conditions = [
    needed && `Requires ${needed}.`,
    operation.description,
    isRefused && 'Not allowed while impersonating.',
  ];
  return conditions.filter(Boolean).join(' ') || undefined;
}
