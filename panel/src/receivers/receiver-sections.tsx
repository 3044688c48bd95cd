import type { ReactNode } from 'react';
import { IdField } from '../components/copyable-field';
import { Field, FieldList } from '../components/field-list';
import { RecordLink } from '../components/links';
import { Columns, Section } from '../components/section';
import { Timestamp } from '../components/timestamp';
import { REASONS, type Receiver } from './receiver-state';

interface ReceiverSectionsProps {
  readonly receiver: Receiver;
  /** What the receiver is. */
  readonly title: string;
  /** Fields of its state that only its kind has. */
  readonly children: ReactNode;
}

/** Whose a receiver is, and its state. */
export const ReceiverSections = ({ receiver, title, children }: ReceiverSectionsProps) => (
  <Columns>
    <Section title={title}>
      <FieldList>
        <Field name="Tenant">
          <RecordLink resource="tenants" id={receiver.tenantId} />
        </Field>
        <Field name="Description">{receiver.description || null}</Field>
        <Field name="Created">
          <Timestamp at={receiver.createdAt} full />
        </Field>
        <IdField name="ID" id={receiver.id} />
      </FieldList>
    </Section>
    <Section title="State">
      <FieldList>
        <Field name="Failing since">{receiver.failingSince && <Timestamp at={receiver.failingSince} full />}</Field>
        <Field name="Failures since the last success">{receiver.failures}</Field>
        {children}
        <Field name="Disabled">{receiver.disabledAt && <Timestamp at={receiver.disabledAt} full />}</Field>
        <Field name="Why">{receiver.disabledWhy && REASONS[receiver.disabledWhy]}</Field>
      </FieldList>
    </Section>
  </Columns>
);
