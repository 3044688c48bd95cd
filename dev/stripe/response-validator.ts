import Ajv, { type ValidateFunction } from 'ajv';
import { openApiDocument } from './openapi-document';

const DOCUMENT = 'https://processor.local/';
let ajv: Ajv | undefined;

/** Validates the responses and events of the stand-in against the OpenAPI document. */
export class ResponseValidator {
  /** @param violations receives a sentence for each violation */
  constructor(private readonly violations: string[]) {}

  /** @param template the route, such as `POST /v1/customers/{id}` */
  answer(template: string, answer: unknown): void {
    const [method, path] = template.split(' ');
    const at = ['paths', path, method.toLowerCase(), 'responses', '200', 'content', 'application/json', 'schema'];
    this.check(at, answer, `The response to ${template}`);
  }

  error(body: unknown): void {
    this.check(['components', 'schemas', 'error'], body, 'An error body');
  }

  event(event: { type: string }): void {
    this.check(['components', 'schemas', `event_${event.type.replaceAll('.', '_')}`], event, `The event ${event.type}`);
  }

  private check(at: string[], value: unknown, name: string): void {
    const validate = validatorOf(
      `#/${at.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`,
    );
    if (validate(value)) return;
    const { instancePath, message } = validate.errors![0];
    this.violations.push(`${name} has no valid ${instancePath || 'form'}: ${message}.`);
  }
}

/** Compiled once per process and only when needed, because compiling takes long. */
function validatorOf(pointer: string): ValidateFunction {
  if (!ajv) {
    ajv = new Ajv({ strict: false, validateFormats: false, inlineRefs: false });
    ajv.addSchema(withNull(structuredClone(openApiDocument())) as object, DOCUMENT);
  }
  const validate = ajv.getSchema(DOCUMENT + pointer);
  if (!validate) throw new Error(`The document has no schema at ${pointer}.`);
  return validate;
}

/**
 * Replaces `nullable` of OpenAPI 3.0 by an alternative with null. Ajv supports `nullable` only
 * beside a single type.
 */
function withNull(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNull);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withNull(value)]));
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest;
}
