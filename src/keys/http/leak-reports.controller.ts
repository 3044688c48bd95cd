import { Controller, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../http/access/access.decorators';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { leakReportSenderOf } from '../../http/requests/signed-body.middleware';
import { PlatformFailures } from '../../platform/platform.failures';
import { RevokeLeakedKeys } from '../commands/revoke-leaked-keys';
import { KeyFailures } from '../keys.failures';
import { LeakReportSignature } from '../services/leak-report-signature';

/**
 * Receives reports of keys that were found in public. The route is public; the signature
 * authenticates the sender.
 */
@ApiTags('keys')
@Controller('leaks')
export class LeakReportsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly signature: LeakReportSignature,
  ) {}

  @Post('github')
  @StoresAnswer('never')
  @Public()
  @ApiHeader({ name: 'Github-Public-Key-Identifier', required: true, description: 'The id of the key that signs' })
  @ApiHeader({ name: 'Github-Public-Key-Signature', required: true, description: 'Signature of the body, in base64' })
  @ApiBody({
    schema: {
      type: 'array',
      items: { type: 'object', additionalProperties: true },
      example: [{ token: 'tnk_…', type: 'tenantry_key', url: 'https://github.com/octocat/a', source: 'commit' }],
    },
    description: 'At most 1000 tokens and 1 MB',
  })
  @Responds({
    summary: 'Report leaked keys (for GitHub)',
    description: 'Revokes the tokens that are keys. The response does not say which ones exist.',
    data: null,
    failures: [PlatformFailures.notFound, KeyFailures.invalidSignature],
  })
  async reportLeaks(@Req() request: Request) {
    const body: unknown = request.body;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0); // no body at all
    const tokens = await this.signature.read(bytes, leakReportSenderOf(request));
    return tokens.ok ? this.commands.execute(new RevokeLeakedKeys(tokens.value)) : tokens;
  }
}
