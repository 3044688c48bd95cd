import { Reflector } from '@nestjs/core';

/** Marks a route whose response has no envelope (docs/contract.md, Envelope). */
export const RawResponse = Object.assign(Reflector.createDecorator<true>({ transform: () => true }), {
  isOn: (handler: object): boolean => Reflect.getMetadata(RawResponse.KEY, handler) === true,
});
