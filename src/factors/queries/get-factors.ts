import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { IsNull, Not } from 'typeorm';
import { EntityReader } from '../../platform/database/entity-reader';
import { ok, type Result } from '../../platform/result';
import { RecoveryCodeRepository } from '../data/recovery-code.repository';
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
  ) {}

  async execute({ userId }: GetFactors): Promise<Result<FactorsView>> {
    const [totp, recoveryCodesLeft] = await Promise.all([
      this.reader.findOne(TotpFactor, { select: ['createdAt'], where: { userId, confirmedAt: Not(IsNull()) } }),
      this.recoveryCodes.count(userId),
    ]);
    return ok({ totp: totp ?? null, recoveryCodesLeft });
  }
}
