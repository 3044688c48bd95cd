import type { Schemas } from '@tenantry/client';
import { listAt, TextLink, AuditTarget } from '../components/links';
import { Timestamp } from '../components/timestamp';
import { useApiPages } from '../components/use-api-query';
import { DataRows } from '../components/data-rows';
import { Section } from '../components/section';
import { api } from '../api';
import { AuditActor } from './audit-actor';
import { AuditDetails } from './audit-details';

interface AuditLogSectionProps {
  readonly title: string;
  /** As the filters of the whole log. */
  readonly filter: {
    readonly actor?: string;
    readonly target?: string;
    readonly tenant?: string;
    readonly action?: string;
  };
}

/** The last entries of the audit log about something. */
export const AuditLogSection = ({ title, filter }: AuditLogSectionProps) => {
  const entries = useApiPages(['audit-rows', filter], (cursor) =>
    api.GET('/admin/audit-log', { params: { query: { ...filter, limit: 6, cursor } } }),
  );
  return (
    <Section title={title} flush aside={<TextLink to={listAt('audit-log', filter)}>In the audit log</TextLink>}>
      <DataRows<Schemas['AuditEntryView']>
        {...entries}
        keyOf={({ id }) => id}
        empty="Nothing yet."
        columns={{
          When: ({ at }) => <Timestamp at={at} />,
          ...(filter.action ? {} : { What: ({ action }) => action }),
          ...(filter.actor
            ? { Target: ({ targetType, targetId }) => <AuditTarget type={targetType} id={targetId} /> }
            : { By: (entry) => <AuditActor entry={entry} /> }),
          More: ({ data }) => <AuditDetails data={data} />,
        }}
      />
    </Section>
  );
};
