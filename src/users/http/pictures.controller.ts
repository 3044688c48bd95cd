import { Controller, Get, Param, Res, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../http/access/access.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { allowSharedCaching } from '../../http/responses/shared-cache';
import { DAY } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';
import { ok } from '../../platform/result';
import { GetPicture } from '../queries/get-picture';

/** A picture never changes: a new one has another address. */
const MAX_AGE = 365 * DAY;

/** Uploaded pictures. They are public, because an image element sends no access token. */
@ApiTags('users')
@Controller('pictures')
export class PicturesController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':key')
  @Public()
  @ApiResponse({ status: 200, description: 'A WebP image', content: { 'image/webp': { schema: { type: 'string' } } } })
  @Responds({
    summary: 'Get a picture',
    description: 'The picture of a user, whose key is in `pictureUrl`. It never changes and may be cached.',
    failures: [PlatformFailures.notFound],
  })
  async getPicture(@Param('key') key: string, @Res({ passthrough: true }) response: Response) {
    const found = await this.queries.execute(new GetPicture(key));
    if (!found.ok) return found;
    allowSharedCaching(response, MAX_AGE);
    return ok(new StreamableFile(found.value, { type: 'image/webp', length: found.value.length }));
  }
}
