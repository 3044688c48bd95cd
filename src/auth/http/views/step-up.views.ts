import { ApiProperty } from '@nestjs/swagger';
import { STEP_UP_METHODS } from '../../domain/step-up-method';
import type { ProofMethod } from '../../domain/session';

/** How the current user can prove their identity. */
export class StepUpMethodsView {
  @ApiProperty({ enum: STEP_UP_METHODS, isArray: true, description: 'Any of them is enough' })
  readonly methods!: readonly ProofMethod[];
}
