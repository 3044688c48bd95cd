import { ApiProperty } from '@nestjs/swagger';
import { LagView, SyncRunView } from './admin.views';

export class RegistrationsView {
  @ApiProperty({ type: String, format: 'date', description: 'A day of UTC' }) readonly day!: string;
  @ApiProperty({ type: 'integer', description: 'Accounts that were made on it' }) readonly users!: number;
}

/** The events of an hour. */
export class WebhookHourView extends LagView {
  @ApiProperty({ type: String, format: 'date-time', description: 'When the hour begins' }) readonly at!: Date;
}

/** How things have been going; everything oldest first. */
export class TrendsView {
  @ApiProperty({ type: [RegistrationsView], description: 'The last 30 days' })
  readonly registrations!: readonly RegistrationsView[];
  @ApiProperty({
    type: [WebhookHourView],
    description: 'The last 24 hours, as far as the last 10,000 events reach back',
  })
  readonly webhooks!: readonly WebhookHourView[];
  @ApiProperty({
    type: [SyncRunView],
    description: 'The last comparisons with the processor that were finished, 30 at most',
  })
  readonly syncRuns!: readonly SyncRunView[];
}
