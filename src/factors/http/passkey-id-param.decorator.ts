import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { FailureException } from '../../http/responses/http-status';
import type { TypedParameterDecorator } from '../../http/validation/typed-decorators';
import { invalid } from '../../platform/platform.failures';
import { CREDENTIAL_ID } from './passkey-field.decorators';

const { min, max } = CREDENTIAL_ID;
const PATTERN = `^[A-Za-z0-9_-]{${min},${max}}$`;

@Injectable()
class ParsePasskeyId implements PipeTransform<string, string> {
  transform(value: string): string {
    if (new RegExp(PATTERN).test(value)) return value;
    throw new FailureException(invalid({ id: ['must be the id of a passkey'] }));
  }
}

/** The credential id of a passkey in a path; anything else is a VALIDATION_ERROR. */
export const PasskeyIdParam = (): TypedParameterDecorator<string> => (controller, method, index) => {
  Param('id', new ParsePasskeyId())(controller, method, index);
  ApiParam({ name: 'id', type: String, schema: { type: 'string', pattern: PATTERN } })(
    controller,
    method,
    Object.getOwnPropertyDescriptor(controller, method)!,
  );
};
