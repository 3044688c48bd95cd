import type { OpenAPIObject } from '@nestjs/swagger';
import { resolve, type Reference } from './api-document-model';
import { STATUS_BY_CODE } from '../src/http/openapi/openapi-components';

interface Response extends Reference {
  readonly headers?: Readonly<Record<string, Reference>>;
  /** Of a default response: the status of each of its codes. */
  readonly [STATUS_BY_CODE]?: Readonly<Record<string, number>>;
}
interface Header {
  readonly required?: boolean;
}

/** The document says so of every 429, whose response may have other statuses too. */
const ALWAYS_WITH_429 = 'Retry-After';
/** Set on any response to a request with `X-Session: web`, as the parameter says. */
const OF_REQUEST = /^web_session=/;

/** Values of headers by name, in any case. */
type Sent = Readonly<Record<string, number | string | readonly string[] | undefined>>;

/**
 * Compares the headers of responses with the API document, as far as it describes them: one that a
 * response does not declare is wrong, and so is a required one that is missing.
 */
export class AnswerHeaders {
  private readonly described: Readonly<Record<string, Header>>;

  constructor(private readonly document: OpenAPIObject) {
    this.described = (document.components?.headers ?? {}) as Readonly<Record<string, Header>>;
  }

  /** What is wrong with the headers of a response, one line each. */
  wrongIn(method: string, route: string, status: number, sent: Sent): string[] {
    const declared = this.declared(method, route, status);
    if (!declared) return []; // the body is wrong then
    const key = `${method} ${route} ${status}`;
    return Object.entries(this.described).flatMap(([name, { required }]) => {
      const isSent = isPresent(sent[name.toLowerCase()]);
      if (isSent && !declared.includes(name)) return [`${key}: ${name} is not in the document`];
      const isRequired = (required && declared.includes(name)) || (status === 429 && name === ALWAYS_WITH_429);
      return isRequired && !isSent ? [`${key}: ${name} is missing`] : [];
    });
  }

  /** The names of the headers that a response declares; undefined if the document has none. */
  declared(method: string, route: string, status: number): string[] | undefined {
    const operation = (
      this.document.paths[route] as Record<string, { responses: Record<string, Response> }> | undefined
    )?.[method.toLowerCase()];
    const own = this.resolved(operation?.responses[status]);
    const any = this.resolved(operation?.responses.default);
    const isAny = Object.values(any?.[STATUS_BY_CODE] ?? {}).includes(status);
    const response = own ?? (isAny ? any : undefined);
    return response && Object.keys(response.headers ?? {});
  }

  private resolved(response: Response | undefined): Response | undefined {
    const all = this.document.components?.responses as Record<string, Response> | undefined;
    return response && resolve(all, response);
  }
}

function isPresent(value: Sent[string]): boolean {
  const values = [value ?? []].flat().map(String);
  return values.some((text) => !OF_REQUEST.test(text));
}
