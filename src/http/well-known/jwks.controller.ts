import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { Response } from 'express';
import { MINUTE } from '../../platform/clock';
import { SigningKeys } from '../../platform/signing-keys';
import { Public } from '../access/access.decorators';
import { RawResponse } from '../responses/raw-response.decorator';
import { allowSharedCaching } from '../responses/shared-cache';

/** Seconds for which the keys may be kept. */
const MAX_AGE = 5 * MINUTE;

/** The public keys that verify access tokens, as a JWK set (RFC 7517). */
@Public()
@Controller('.well-known/jwks.json')
export class JwksController {
  constructor(private readonly keys: SigningKeys) {}

  @Get()
  @ApiExcludeEndpoint()
  @RawResponse()
  jwks(@Res({ passthrough: true }) response: Response) {
    allowSharedCaching(response, MAX_AGE);
    return this.keys.jwks;
  }
}
