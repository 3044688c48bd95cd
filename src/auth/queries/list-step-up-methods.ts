import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EntityReader } from '../../platform/database/entity-reader';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { User } from '../../users/users.api';
import type { StepUpMethodsView } from '../http/views/step-up.views';
import { STEP_UP_FIELDS, StepUpMethods } from '../services/step-up-methods';

/** How the caller can prove their identity; UNAUTHENTICATED if the account was deleted. */
export class ListStepUpMethods extends Query<Result<StepUpMethodsView, 'UNAUTHENTICATED'>> {
  constructor(readonly userId: string) {
    super();
  }
}

@QueryHandler(ListStepUpMethods)
export class ListStepUpMethodsHandler implements IQueryHandler<ListStepUpMethods> {
  constructor(
    private readonly reader: EntityReader,
    private readonly stepUpMethods: StepUpMethods,
  ) {}

  async execute({ userId }: ListStepUpMethods) {
    const user = await this.reader.findOne(User, { select: STEP_UP_FIELDS, where: { id: userId } });
    return user ? ok({ methods: await this.stepUpMethods.of(user) }) : err(PlatformFailures.unauthenticated);
  }
}
