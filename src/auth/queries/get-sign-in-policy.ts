import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EntityReader } from '../../platform/database/entity-reader';
import { ok, type Result } from '../../platform/result';
import { POLICY_METHODS, SignInPolicy } from '../domain/sign-in-policy';
import type { SignInPolicyView } from '../http/views/sign-in-policy.views';

const COLUMNS = ['secondFactorFrom', 'maxSessionHours', 'allowedMethods', 'maxTokenDays', 'updatedAt'] as const;
/** A tenant that never set a policy. */
const NO_POLICY: SignInPolicyView = {
  secondFactorFrom: null,
  maxSessionHours: null,
  allowedMethods: null,
  maxTokenDays: null,
  updatedAt: null,
};

/** The sign-in policy of a tenant. */
export class GetSignInPolicy extends Query<Result<SignInPolicyView>> {
  constructor(readonly tenantId: string) {
    super();
  }
}

@QueryHandler(GetSignInPolicy)
export class GetSignInPolicyHandler implements IQueryHandler<GetSignInPolicy> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ tenantId }: GetSignInPolicy): Promise<Result<SignInPolicyView>> {
    const rows = { scope: { tenantId }, select: COLUMNS, where: { tenantId } };
    const policy = await this.reader.findOne(SignInPolicy, rows);
    return ok(policy ? policyView(policy) : NO_POLICY);
  }
}

/** A policy without the methods of the first sign-in, which follow from the others. */
export const policyView = (policy: Pick<SignInPolicy, (typeof COLUMNS)[number]>): SignInPolicyView => ({
  secondFactorFrom: policy.secondFactorFrom,
  maxSessionHours: policy.maxSessionHours,
  allowedMethods: policy.allowedMethods && POLICY_METHODS.filter((method) => policy.allowedMethods!.includes(method)),
  maxTokenDays: policy.maxTokenDays,
  updatedAt: policy.updatedAt,
});
