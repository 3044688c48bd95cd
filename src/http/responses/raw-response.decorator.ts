import { Reflector } from '@nestjs/core';

/** A route whose answer has a form of its own and no envelope (docs/contract.md, Envelope). */
export const RawResponse = Object.assign(Reflector.createDecorator<true>({ transform: () => true }), {
  isOn: (handler: object): boolean => Reflect.getMetadata(RawResponse.KEY, handler) === true,
});
