import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { IsNull, Not } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/settings';
import { EntityReader } from '../../platform/database/entity-reader';
import { ok, type Result } from '../../platform/result';
import { isAdmin, User } from '../../users/users.api';
import { RecoveryCodeRepository } from '../data/recovery-code.repository';
import { dueAt, FactorReset } from '../domain/factor-reset';
import { TotpFactor } from '../domain/totp-factor';
import type { FactorsView } from '../http/views/factors.views';

/** The caller's second factors. */
export class GetFactors extends Query<Result<FactorsView>> {
  constructor(readonly userId: string) {
    super();
  }
}

@QueryHandler(GetFactors)
export class GetFactorsHandler implements IQueryHandler<GetFactors> {
  constructor(
    private readonly reader: EntityReader,
    private readonly recoveryCodes: RecoveryCodeRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ userId }: GetFactors): Promise<Result<FactorsView>> {
    const [totp, recoveryCodesLeft, user, reset] = await Promise.all([
      this.reader.findOne(TotpFactor, { select: ['createdAt'], where: { userId, confirmedAt: Not(IsNull()) } }),
      this.recoveryCodes.count(userId),
      this.reader.findOne(User, { select: ['email', 'isEmailVerified', 'isAdmin'], where: { id: userId } }),
      this.reader.findOne(FactorReset, { select: ['requestedAt'], where: { userId, closedAt: IsNull() } }),
    ]);
    const { adminEmails, adminSecondFactor } = this.settings;
    return ok({
      totp: totp ?? null,
      recoveryCodesLeft,
      isRequired: adminSecondFactor === 'required' && user !== undefined && isAdmin(user, adminEmails),
      reset: reset ? { requestedAt: reset.requestedAt, dueAt: dueAt(reset) } : null,
    });
  }
}
