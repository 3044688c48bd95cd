import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { SigningKeys } from '../../platform/signing-keys';
import { Public } from '../access/access.decorators';
import { RawResponse } from '../responses/raw-response.decorator';

/** The public keys that verify access tokens, as a JWK set (RFC 7517). */
@Public()
@Controller('.well-known/jwks.json')
export class JwksController {
  constructor(private readonly keys: SigningKeys) {}

  @Get()
  @ApiExcludeEndpoint()
  @RawResponse()
  @Header('Cache-Control', 'public, max-age=300')
  jwks() {
    return this.keys.jwks;
  }
}
