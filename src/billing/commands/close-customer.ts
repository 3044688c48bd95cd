import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Deferrable } from '../../platform/jobs';
import { ok, type Result } from '../../platform/result';
import { isOver } from '../domain/processor-state';
import { ProcessorGateway } from '../processor/processor-gateway';

/** Sees to it that nobody pays for a tenant that was deleted: checkouts that wait are closed, and what was subscribed to unheard is ended. */
@Deferrable('close-customer')
export class CloseCustomer extends Command<Result> {
  constructor(readonly customerId: string) {
    super();
  }
}

@CommandHandler(CloseCustomer)
export class CloseCustomerHandler implements ICommandHandler<CloseCustomer> {
  constructor(private readonly gateway: ProcessorGateway) {}

  async execute({ customerId }: CloseCustomer): Promise<Result> {
    const open = await this.gateway.openCheckouts(customerId);
    if (!open.ok) return open;
    for (const { id } of open.value) {
      const expired = await this.gateway.expireCheckout(id);
      if (!expired.ok) return expired; // just completed, perhaps: the next attempt finds what came of it
    }
    const reading = await this.gateway.subscriptionsOf(customerId);
    if (!reading.ok) return reading;
    for (const { subscriptionId } of reading.value.states.filter(({ status }) => !isOver(status))) {
      const canceled = await this.gateway.cancel(subscriptionId);
      if (!canceled.ok) return canceled;
    }
    return ok();
  }
}
