import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';

/**
 * When the answer to a write with an Idempotency-Key is stored:
 * - `with-effect`: in the transaction of the command, which is its only one and returns what the
 *   route answers. The default;
 * - `afterwards`: after a command that has several transactions, or none, or calls Stripe;
 * - `never`: the header is ignored, because the answer carries a token or a cookie.
 */
export type AnswerStorage = 'with-effect' | 'afterwards' | 'never';

/** Extension of an operation until the document is written: the header is ignored. */
export const IGNORES_KEY = 'x-ignores-idempotency-key';

const DeclaredStorage = Reflector.createDecorator<AnswerStorage>();

/** Declares a route whose answer is not stored with the effect (docs/decisions/0055). */
export const StoresAnswer = (when: Exclude<AnswerStorage, 'with-effect'>) =>
  applyDecorators(DeclaredStorage(when), ...(when === 'never' ? [ApiExtension(IGNORES_KEY, true)] : []));

/** When the answer of a route is stored. */
export function answerStorageOf(handler: object): AnswerStorage {
  return (Reflect.getMetadata(DeclaredStorage.KEY, handler) as AnswerStorage | undefined) ?? 'with-effect';
}
