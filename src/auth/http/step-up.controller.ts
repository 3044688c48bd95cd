import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { FactorFailures, FactorProofBody, factorProofOf, OptionalDigitCodeField } from '../../factors/factors.api';
import { LiveSession, NotWhileImpersonating, SignedIn } from '../../http/access/access.decorators';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { optional } from '../../http/validation/optional.decorators';
import { PasswordField } from '../../http/validation/secret-field.decorators';
import { PlatformFailures } from '../../platform/platform.failures';
import { ok, type Result } from '../../platform/result';
import { AuthFailures } from '../auth.failures';
import { RequestStepUpCode } from '../commands/request-step-up-code';
import { VerifyIdentity, type IdentityProof } from '../commands/verify-identity';
import { ListStepUpMethods } from '../queries/list-step-up-methods';
import { StepUpMethodsView } from './views/step-up.views';

class VerifyIdentityBody extends FactorProofBody {
  @optional(PasswordField()) password?: string;
  @OptionalDigitCodeField('The code of POST /auth/step-up/email') emailCode?: string;
}

/** Proof of the identity during a session, for operations that return STEP_UP_REQUIRED. */
@ApiTags('factors')
@Controller('auth/step-up')
@SignedIn()
@NotWhileImpersonating()
export class StepUpController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({ summary: 'List how you can confirm your identity', data: StepUpMethodsView })
  listStepUpMethods(@CurrentActor() actor: Actor) {
    return this.queries.execute(new ListStepUpMethods(actor.userId));
  }

  @Post()
  @LiveSession()
  @Responds({
    summary: 'Confirm your identity',
    description: 'Send one of the fields. Operations that return STEP_UP_REQUIRED are then allowed for 10 minutes.',
    data: null,
    failures: [
      AuthFailures.invalidCredentials,
      AuthFailures.emailCodeInvalid,
      FactorFailures.secondFactorInvalid,
      FactorFailures.challengeExpired,
      FactorFailures.passkeyInvalid,
      FactorFailures.passkeyUnknown,
      AuthFailures.tooManyAttempts,
    ],
  })
  async verifyIdentity(@CurrentActor() actor: Actor, @Body() body: VerifyIdentityBody) {
    const proof = identityProofOf(body);
    return proof.ok ? this.commands.execute(new VerifyIdentity(actor, proof.value)) : proof;
  }

  @Post('email')
  @StoresAnswer('afterwards')
  @LiveSession()
  @Responds({
    summary: 'Send a code to confirm your identity',
    description: 'For accounts with neither a second factor nor a password. The code expires after 10 minutes.',
    data: null,
    failures: [PlatformFailures.validation],
  })
  requestStepUpCode(@CurrentActor() actor: Actor) {
    return this.commands.execute(new RequestStepUpCode(actor));
  }
}

function identityProofOf(body: VerifyIdentityBody): Result<IdentityProof, 'VALIDATION_ERROR'> {
  const { password, emailCode } = body;
  if (password !== undefined) return ok({ method: 'password', password });
  if (emailCode !== undefined) return ok({ method: 'email-code', emailCode });
  return factorProofOf(body);
}
