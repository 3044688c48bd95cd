import { Controller, Get } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Fresh, SignedIn } from '../../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../../http/access/actor';
import { Responds } from '../../../http/openapi/openapi-responses.decorator';
import { JsonFileResponse } from '../../../http/responses/csv-response.decorator';
import { EXPORT_VERSION, ExportAccountData, MAX_ITEMS } from '../commands/export-account-data';

const LIST = { type: 'array', maxItems: MAX_ITEMS, items: { type: 'object', additionalProperties: true } } as const;

/** The data of the current user. */
@ApiTags('users')
@Controller('users/me/export')
export class ExportController {
  constructor(private readonly commands: CommandBus) {}

  @Get()
  @SignedIn()
  @Fresh()
  @Responds({
    summary: 'Export your data',
    description:
      'A JSON file with what is stored about you, in `lists`: account, linkedProviders, passkeys, sessions, ' +
      'memberships, notifications, audit entries and others, without secrets. At most 100,000 items of each; ' +
      '`truncated` names lists that have more. Three times an hour.',
  })
  @JsonFileResponse({
    type: 'object',
    required: ['version', 'exportedAt', 'lists', 'truncated'],
    properties: {
      version: { type: 'integer', enum: [EXPORT_VERSION] },
      exportedAt: { type: 'string', format: 'date-time' },
      lists: { type: 'object', additionalProperties: LIST },
      truncated: { type: 'array', items: { type: 'string' } },
    },
  })
  exportAccountData(@CurrentActor() actor: Actor) {
    return this.commands.execute(new ExportAccountData(actor));
  }
}
