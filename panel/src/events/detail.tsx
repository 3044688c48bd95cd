import type { Schemas } from '@tenantry/client';
import { Code } from '../parts/code';
import { Detail } from '../parts/detail';
import { Fact, Facts } from '../parts/facts';
import { Heading } from '../parts/heading';
import { Reference } from '../parts/links';
import { Moment } from '../parts/moment';
import { Columns, Section } from '../parts/section';
import { StateChip } from '../parts/state';
import { Replay } from './replay';

/** An event of the processor, as it was delivered, and what became of it. */
const Event = () => (
  <Detail<Schemas['WebhookEventDetailView']> list="Webhook events">
    {(event) => (
      <>
        <Heading
          title={event.type}
          within={{ to: '/webhook-events', name: 'Webhook events' }}
          beside={<StateChip state={event.status} />}
        >
          <Replay id={event.id} />
        </Heading>
        <Columns>
          <Section title="Delivery">
            <Facts>
              <Fact name="Tenant">
                <Reference resource="tenants" id={event.tenantId} />
              </Fact>
              <Fact name="Made at the processor">
                <Moment at={event.createdAt} full />
              </Fact>
              <Fact name="Received">
                <Moment at={event.receivedAt} full />
              </Fact>
              <Fact name="Attempts">{event.attempts}</Fact>
              <Fact name="The processor’s id">{event.eventId}</Fact>
              <Fact name="Id">{event.id}</Fact>
            </Facts>
          </Section>
          {event.error && (
            <Section title="Error">
              <Code label="Error">{event.error}</Code>
            </Section>
          )}
        </Columns>
        <Section title="Payload">
          <Code label="Payload">{event.payload}</Code>
        </Section>
      </>
    )}
  </Detail>
);

export default Event;
