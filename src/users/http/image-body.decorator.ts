import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { Request } from 'express';
import { IMAGE_TYPES } from '../../http/requests/image-body.middleware';
import type { TypedParameterDecorator } from '../../http/validation/typed-decorators';

/** Nothing but bytes: a body of another kind would be an instruction for the decoder. */
const Bytes = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { body } = context.switchToHttp().getRequest<Request<object, unknown, unknown>>();
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
});

/** The bytes of an uploaded image. */
export const ImageBody = (): TypedParameterDecorator<Buffer> => (controller, method, index) => {
  Bytes()(controller, method, index);
  const descriptor = Object.getOwnPropertyDescriptor(controller, method)!;
  ApiConsumes(...IMAGE_TYPES)(controller, method, descriptor);
  ApiBody({ schema: { type: 'string', format: 'binary' } })(controller, method, descriptor);
};
