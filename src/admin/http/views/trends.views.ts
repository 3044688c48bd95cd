import { ApiProperty } from '@nestjs/swagger';
import { COUNT } from '../../../http/validation/count-schema';
import { SyncRunView } from './overview.views';
import { LagView } from './webhook-event.views';

export class RegistrationsView {
  @ApiProperty({ type: String, format: 'date', description: 'Day in UTC' }) readonly day!: string;
  @ApiProperty({ ...COUNT, description: 'Accounts created on that day' }) readonly users!: number;
}

/** The webhook events of an hour. */
export class WebhookHourView extends LagView {
  @ApiProperty({ type: String, format: 'date-time', description: 'Start of the hour' }) readonly at!: Date;
}

/** Developments over time, each list oldest first. */
export class TrendsView {
  @ApiProperty({ type: [RegistrationsView], description: 'The last 30 days' })
  readonly registrations!: readonly RegistrationsView[];
  @ApiProperty({
    type: [WebhookHourView],
    description: 'The last 24 hours, limited to the latest 10,000 events',
  })
  readonly webhooks!: readonly WebhookHourView[];
  @ApiProperty({
    type: [SyncRunView],
    description: 'The latest finished sync runs, at most 30',
  })
  readonly syncRuns!: readonly SyncRunView[];
}
