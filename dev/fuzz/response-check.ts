import type { OpenAPIObject } from '@nestjs/swagger';
import { AnswerSchemas } from '../response-schemas';
import type { ActorName } from './actors';
import type { Operation } from './operations';
import type { FuzzAnswer, FuzzRequest } from './request';

/**
 * The routes on which an admin reaches every tenant. On `/tenants/current` an admin is a member
 * like any other.
 */
const ADMIN_ROUTES = '/api/v1/admin/';

interface DocumentedResponses {
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

/** Checks responses against the API document. */
export class ResponseCheck {
  private readonly schemas: AnswerSchemas;

  constructor(private readonly document: OpenAPIObject) {
    this.schemas = new AnswerSchemas(document);
  }

  /** @returns the violation, or undefined if the response is valid */
  of(operation: Operation, actor: ActorName, request: FuzzRequest, response: FuzzAnswer): string | undefined {
    const { status, headers, text } = response;
    if (status >= 500) return `returned ${status}`;
    if (!headers['x-request-id'] && !request.isElsewhere) return 'has no X-Request-Id';
    const isAllowed = status < 400;
    if (isAllowed && actor === 'nobody' && operation.isGuarded) return 'succeeds without a token';
    if (isAllowed && request.isForeign && !operation.path.startsWith(ADMIN_ROUTES)) {
      return 'reaches data of another tenant';
    }
    if (/^3\d\d$/.test(String(status))) return this.redirect(operation, request, status);
    if (headers['content-type']?.startsWith('text/event-stream')) return undefined;
    const isImage = headers['content-type']?.startsWith('image/');
    if (isImage || headers['content-disposition']?.startsWith('attachment'))
      return this.file(operation, status, headers);
    return this.body(operation, request, status, text);
  }

  private file({ method, path }: Operation, status: number, headers: FuzzAnswer['headers']): string | undefined {
    const { responses } = (this.document.paths[path] as Record<string, DocumentedResponses>)[method.toLowerCase()];
    const [type] = (headers['content-type'] ?? '').split(';');
    const isDocumented = type in (responses[String(status)]?.content ?? {});
    return isDocumented ? undefined : `is a file of the type ${type} (${status}), which is not in the document`;
  }

  private redirect({ method, path }: Operation, { isElsewhere }: FuzzRequest, status: number): string | undefined {
    const responses = (this.document.paths[path] as Record<string, { responses: object }>)[method.toLowerCase()]
      .responses;
    return isElsewhere || String(status) in responses
      ? undefined
      : `redirects with ${status}, which is not in the document`;
  }

  private body(
    { method, path }: Operation,
    { isElsewhere }: FuzzRequest,
    status: number,
    text: string,
  ): string | undefined {
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return `is not JSON (${status}): ${text.slice(0, 200)}`;
    }
    if (!isEnvelope(body, status)) return `is not in the envelope (${status}): ${text.slice(0, 200)}`;
    return isElsewhere ? undefined : this.schemas.wrongIn(method, path, status, body);
  }
}

function isEnvelope(body: unknown, status: number): boolean {
  const { success, error } = (body ?? {}) as { success?: unknown; error?: { code?: unknown; message?: unknown } };
  if (status < 400) return success === true && 'data' in (body as object);
  return success === false && typeof error?.code === 'string' && typeof error.message === 'string';
}
