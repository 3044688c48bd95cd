import type { Schemas } from '@tenantry/client';
import { listAt, TextLink } from '../components/links';
import { Timestamp } from '../components/timestamp';
import { useApiPages } from '../components/use-api-query';
import { DataRows } from '../components/data-rows';
import { Section } from '../components/section';
import { api } from '../api';
import { AuditActor } from './audit-actor';
import { AuditDetails } from './audit-details';
import { AuditTarget } from './audit-target';

interface AuditLogSectionProps {
  readonly title: string;
  /** By the names of the log's own filters. */
  readonly filter: {
    readonly actor?: string;
    readonly target?: string;
    readonly tenant?: string;
    readonly action?: string;
  };
}

/** The newest entries of the audit log that match a filter. */
export const AuditLogSection = ({ title, filter }: AuditLogSectionProps) => {
  const entries = useApiPages(['audit-rows', filter], (cursor) =>
    api.GET('/admin/audit-log', { params: { query: { ...filter, limit: 6, cursor } } }),
  );
  return (
    <Section title={title} flush aside={<TextLink to={listAt('audit-log', filter)}>View in audit log</TextLink>}>
      <DataRows<Schemas['AuditEntryView']>
        {...entries}
        keyOf={({ id }) => id}
        empty="No entries yet."
        columns={{
          Time: ({ at }) => <Timestamp at={at} />,
          ...(filter.action ? {} : { Action: ({ action }) => action }),
          ...(filter.actor
            ? { Target: (entry) => <AuditTarget entry={entry} /> }
            : { Actor: (entry) => <AuditActor entry={entry} /> }),
          Details: ({ data }) => <AuditDetails data={data} />,
        }}
      />
    </Section>
  );
};
