import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import {
  AuthFailures,
  DisableUser,
  EnableUser,
  EndUserSession,
  EndUserSessions,
  ImpersonateUser,
  ImpersonationView,
  SendUserLink,
} from '../../auth/auth.api';
import { AdminOnly, Fresh, LiveSession } from '../../http/access/access.decorators';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { OptionalIdField } from '../../http/validation/id-field.decorators';
import { OptionalTextField } from '../../http/validation/text-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { IdParam } from '../../http/validation/id-param.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { AdminUserDetailView, AdminUserView } from './views/user.views';
import { GetUser } from '../queries/get-user';
import { ListUsers } from '../queries/list-users';
import { UserSearch } from './list-searches.params';
import { RecordedView } from './recorded-view.interceptor';

class DisableUserBody {
  @OptionalTextField(1, 500, 'Ticket 4712: sends spam') reason?: string;
}

class ImpersonateUserBody {
  @OptionalTextField(0, 500, 'Ticket 4711: cannot see the invoice') reason?: string;
  @OptionalIdField('Id of the tenant to act in; by default the tenant in which the user was active last')
  tenantId?: string;
}

/** User accounts, for operators. */
@ApiTags('admin')
@Controller('admin/users')
@AdminOnly()
export class AdminUsersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @RecordedView('user', UserSearch)
  @Responds({ summary: 'Search users', data: AdminUserView, list: true })
  listUsers(@Query() query: UserSearch) {
    return this.queries.execute(new ListUsers(query.search, query.state, query));
  }

  @Get(':id')
  @RecordedView('user')
  @Responds({
    summary: 'Get a user',
    data: AdminUserDetailView,
    failures: [PlatformFailures.notFound],
  })
  getUser(@IdParam('id') id: string) {
    return this.queries.execute(new GetUser(id));
  }

  @Post(':id/disable')
  @LiveSession()
  @ApiBody({ type: DisableUserBody, required: false })
  @Responds({
    summary: 'Disable a user',
    description:
      'Ends all sessions; access tokens are rejected within a second (SESSION_ENDED). ' +
      'The audit log keeps the reason. CONFLICT for your own account.',
    data: null,
    failures: [PlatformFailures.notFound, AuthFailures.cannotDisableYourself],
  })
  disableUser(@CurrentActor() actor: Actor, @IdParam('id') id: string, @Body() { reason }: DisableUserBody) {
    return this.commands.execute(new DisableUser(actor, id, reason));
  }

  @Post(':id/enable')
  @Responds({ summary: 'Enable a user', data: null, failures: [PlatformFailures.notFound] })
  enableUser(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    return this.commands.execute(new EnableUser(actor, id));
  }

  @Delete(':id/sessions/:sessionId')
  @LiveSession()
  @Responds({
    summary: 'End a session of a user',
    description: 'The access tokens of the session are rejected within a second (SESSION_ENDED).',
    data: null,
    failures: [PlatformFailures.notFound],
  })
  endUserSession(@CurrentActor() actor: Actor, @IdParam('id') id: string, @IdParam('sessionId') sessionId: string) {
    return this.commands.execute(new EndUserSession(actor, id, sessionId));
  }

  @Delete(':id/sessions')
  @LiveSession()
  @Responds({
    summary: 'End all sessions of a user',
    description: 'Also revokes unused emailed links.',
    data: null,
    failures: [PlatformFailures.notFound],
  })
  endUserSessions(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    return this.commands.execute(new EndUserSessions(actor, id));
  }

  @Post(':id/password-reset')
  @Responds({
    summary: 'Send a password reset link to a user',
    description: 'Subject to email limits. CONFLICT for a disabled account.',
    data: null,
    failures: [PlatformFailures.notFound, AuthFailures.cannotMailDisabled],
  })
  sendPasswordReset(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    return this.commands.execute(new SendUserLink(actor, id, 'password-reset'));
  }

  @Post(':id/verification')
  @Responds({
    summary: 'Send a verification email to a user',
    description: 'Subject to email limits. CONFLICT for a disabled or verified account.',
    data: null,
    failures: [PlatformFailures.notFound, AuthFailures.alreadyVerified],
  })
  sendVerification(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    return this.commands.execute(new SendUserLink(actor, id, 'verification'));
  }

  @Post(':id/impersonate')
  @StoresAnswer('never')
  @Fresh()
  @ApiBody({
    type: ImpersonateUserBody,
    required: false,
    examples: { reason: { value: { reason: 'Ticket 4711: cannot see the invoice' } } },
  })
  @Responds({
    summary: 'Impersonate a user',
    description:
      'Returns an access token for 15 minutes, without a refresh token. The audit log records the impersonation, ' +
      'and both user ids with each action. CANNOT_IMPERSONATE for an admin or yourself. ' +
      'CONFLICT for a disabled account. NOT_FOUND also if the user is not a member of the tenant.',
    data: ImpersonationView,
    failures: [PlatformFailures.notFound, AuthFailures.cannotImpersonate, AuthFailures.cannotImpersonateDisabled],
  })
  impersonateUser(@CurrentActor() actor: Actor, @IdParam('id') id: string, @Body() body: ImpersonateUserBody) {
    return this.commands.execute(new ImpersonateUser(actor, id, body.reason, body.tenantId));
  }
}
