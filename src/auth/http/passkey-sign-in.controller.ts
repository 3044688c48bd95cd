import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  FactorFailures,
  ObjectField,
  PasskeyAssertionBody,
  PasskeyOptionsView,
  StartPasskeyAssertion,
} from '../../factors/factors.api';
import { Public } from '../../http/access/access.decorators';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { UserFailures } from '../../users/users.api';
import { SignInByPasskey } from '../commands/sign-in-by-passkey';
import { IssuesSession } from './session-cookie.interceptor';
import { SignInView } from './views/token.views';

class SignInByPasskeyBody {
  @ObjectField(PasskeyAssertionBody, 'The result of `navigator.credentials.get()`') response!: PasskeyAssertionBody;
}

/** Sign-in with a passkey. */
@ApiTags('passkeys')
@Controller('auth/passkey')
export class PasskeySignInController {
  constructor(private readonly commands: CommandBus) {}

  @Post('options')
  @StoresAnswer('afterwards')
  @Public()
  @Responds({
    summary: 'Start a sign-in with a passkey',
    description:
      'Pass the options to the browser, then its result within 5 minutes to POST /auth/passkey, ' +
      '/auth/second-factor or /auth/step-up. The options are the same for everyone.',
    data: PasskeyOptionsView,
  })
  startPasskeyAssertion() {
    return this.commands.execute(new StartPasskeyAssertion());
  }

  @Post()
  @StoresAnswer('never')
  @Public()
  @IssuesSession()
  @Responds({
    summary: 'Sign in with a passkey',
    description: 'Needs no second factor: the authenticator has verified the user.',
    data: SignInView,
    failures: [
      FactorFailures.challengeExpired,
      FactorFailures.passkeyInvalid,
      FactorFailures.passkeyUnknown,
      UserFailures.emailNotVerified,
      UserFailures.accountDisabled,
    ],
  })
  signInByPasskey(@Body() body: SignInByPasskeyBody) {
    return this.commands.execute(new SignInByPasskey(body.response));
  }
}
