import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Fresh, LiveSession, NotWhileImpersonating, SignedIn } from '../../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../../http/access/actor';
import { Responds } from '../../../http/openapi/openapi-responses.decorator';
import { AccountFailures } from '../../accounts.failures';
import { CancelAccountDeletion } from '../commands/cancel-account-deletion';
import { RequestAccountDeletion } from '../commands/request-account-deletion';
import { GetAccountDeletion } from '../queries/get-account-deletion';
import { AccountDeletionView, PlannedDeletionView } from './views/deletion.views';

/** The deletion of the current user's account. */
@ApiTags('users')
@Controller('users/me/deletion')
@SignedIn()
@NotWhileImpersonating()
export class DeletionController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({
    summary: 'Get the deletion status of your account',
    description: 'When the deletion is scheduled, what prevents it, and which tenants are deleted with the account.',
    data: AccountDeletionView,
  })
  getAccountDeletion(@CurrentActor() actor: Actor) {
    return this.queries.execute(new GetAccountDeletion(actor));
  }

  @Post()
  @Fresh()
  @Responds({
    summary: 'Delete your account',
    description:
      'The account and its personal data are deleted after 14 days. All sessions end at once. To keep the account, ' +
      'sign in and send DELETE. A repeated request does not change the time.',
    data: PlannedDeletionView,
    failures: [AccountFailures.deletionBlocked, AccountFailures.adminNotDeletable],
  })
  requestAccountDeletion(@CurrentActor() actor: Actor) {
    return this.commands.execute(new RequestAccountDeletion(actor));
  }

  @Delete()
  @LiveSession()
  @Responds({ summary: 'Keep your account', data: null })
  cancelAccountDeletion(@CurrentActor() actor: Actor) {
    return this.commands.execute(new CancelAccountDeletion(actor));
  }
}
