import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PreparedResponse } from '../../../http/responses/prepared-response';
import { MINUTE } from '../../../platform/clock';
import type { Page } from '../../../platform/pagination';
import { ok, type Ok } from '../../../platform/result';
import { PLANS } from '../../entitlements/domain/plan';
import type { PlanView } from '../../http/views/plan.views';
import { StripeClient } from '../../stripe/stripe-client';
import { planOffer } from '../domain/plan-offer';
import type { PlanPrice } from '../domain/plan-price';
import { CataloguePrices } from '../services/catalogue-prices';

/** Seconds for which browsers and proxies may keep the list. */
const MAX_AGE = 5 * MINUTE;

type Answer = PreparedResponse<Page<PlanView>>;

/** Lists the plans with what they cost and allow, and whether this deployment offers them. */
export class ListPlans extends Query<Ok<Answer>> {}

/** The list is written once per reading of the prices: every visitor of a pricing page asks. */
@QueryHandler(ListPlans)
export class ListPlansHandler implements IQueryHandler<ListPlans> {
  private latest?: { readonly prices: readonly PlanPrice[]; readonly answer: Ok<Answer> };

  constructor(
    private readonly prices: CataloguePrices,
    private readonly stripeClient: StripeClient,
  ) {}

  async execute(): Promise<Ok<Answer>> {
    const prices = this.prices.isStale ? await this.prices.list() : this.prices.known;
    if (this.latest?.prices !== prices) this.latest = { prices, answer: this.answerOf(prices) };
    return this.latest.answer;
  }

  private answerOf(prices: readonly PlanPrice[]): Ok<Answer> {
    const items = PLANS.map((name) => planOffer(name, prices, this.stripeClient.isSetUp));
    return ok(new PreparedResponse({ items, nextCursor: null }, MAX_AGE));
  }
}
