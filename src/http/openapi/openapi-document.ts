import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Settings } from '../../config/settings';
import { PlatformFailures } from '../../platform/platform.failures';
import type { Failure } from '../../platform/result';
import { NEEDS, NOT_WHILE_IMPERSONATING } from '../access/access.guard';
import { failureResponse, REDIRECT_ERROR_CODES } from './openapi-responses.decorator';
import { HTTP_STATUS } from '../responses/http-status';

/** The chapters of the document, in the order in which a client developer needs them. */
const CHAPTERS = {
  auth: 'Registering, signing in and out, refreshing, who one is',
  passwordless: 'Signing in with Google, GitHub and mailed links',
  passwords: 'Forgotten, chosen anew, changed',
  sessions: 'Where one is signed in, and the active tenant',
  users: "One's own account",
  tenants: 'Founding, renaming, handing over, deleting',
  members: 'Who is in the tenant',
  roles: 'What they may do',
  invitations: 'How others come in',
  projects: 'The example of a feature',
  notifications: 'What one should see, as list and stream',
  billing: 'Plans, checkout, portal, subscription',
  audit: 'What has happened in the tenant',
  admin: 'For operators',
  webhooks: 'For the payment processor',
  operations: 'For machines',
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;
type ResponseObject = Exclude<NonNullable<OperationObject['responses'][string]>, { $ref: string }>;

/** Names all error codes that there are, in the API document: of answers and of redirects. */
const ERROR_CODES = 'x-error-codes';

/** The same as in package.json and README.md. */
const LICENSE = 'UNLICENSED: all rights reserved until the owner chooses';

/** The OpenAPI 3.1 document of all routes below /api/v1. */
export function openApiDocument(app: INestApplication, { baseUrl }: Settings): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Tenantry')
    .setDescription(
      'Every answer is `{"success":true,"data":…}` or `{"success":false,"error":{"code","message","details"?}}`; branch on `error.code`. ' +
        'Sign in to get a token pair, send the access token as a bearer token, and refresh it when it expires.',
    )
    .setVersion('1')
    .addServer(baseUrl)
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' });
  for (const [name, about] of Object.entries(CHAPTERS)) builder.addTag(name, about);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_controller, method) => method,
    autoTagControllers: false,
  });
  document.info.license = { name: LICENSE };
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) if (path[method]) addCommonFailures(path[method]);
  }
  return Object.assign(document, { [ERROR_CODES]: errorCodesIn(document) });
}

/** Serves the document at /openapi.json and a page to read and try it at /docs. */
export function serveDocs(app: INestApplication, settings: Settings): void {
  SwaggerModule.setup('docs', app, openApiDocument(app, settings), {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Tenantry API',
    swaggerOptions: { persistAuthorization: false, displayRequestDuration: true },
  });
}

/** What any route of its kind may refuse, whatever it does. */
function addCommonFailures(operation: OperationObject): void {
  const {
    validation,
    unauthenticated,
    accessTokenExpired,
    sessionEnded,
    forbidden,
    payloadTooLarge,
    unsupportedMediaType,
    rateLimited,
    internal,
    unavailable,
  } = PlatformFailures;
  const common: Failure[] = [rateLimited, internal, unavailable];
  if (operation.requestBody) common.push(validation, payloadTooLarge, unsupportedMediaType);
  else if (operation.parameters?.length) common.push(validation);
  operation.security ??= []; // said, not left out: open to anyone
  if (operation.security.length > 0) common.push(unauthenticated, accessTokenExpired, sessionEnded);
  const needed = (operation as { [NEEDS]?: string })[NEEDS];
  if (needed) common.push(forbidden);
  const isRefused = NOT_WHILE_IMPERSONATING in operation;
  if (isRefused) common.push(PlatformFailures.notWhileImpersonating);
  const conditions = [needed && `Needs: ${needed}.`, operation.description, isRefused && 'Not while impersonating.'];
  operation.description = conditions.filter(Boolean).join(' ') || undefined;
  const responses = operation.responses as Record<string, ResponseObject>;
  for (const { kind, code } of common) {
    const status = String(HTTP_STATUS[kind]);
    const known = codesOf(responses[status]);
    if (!known.includes(code)) responses[status] = failureResponse([...known, code]);
  }
}

function errorCodesIn({ paths }: OpenAPIObject): string[] {
  const operations = Object.values(paths).flatMap((path) => METHODS.flatMap((method) => path[method] ?? []));
  const codes = operations.flatMap((operation) => {
    const refusals = Object.entries(operation.responses as Record<string, ResponseObject>).filter(
      ([status]) => status >= '400',
    );
    const { [REDIRECT_ERROR_CODES]: redirected = [] } = operation as { [REDIRECT_ERROR_CODES]?: string[] };
    return [...refusals.flatMap(([, response]) => codesOf(response)), ...redirected];
  });
  return [...new Set(codes)].sort();
}

function codesOf(response: ResponseObject | undefined): string[] {
  return response ? response.description.split(', ') : [];
}
