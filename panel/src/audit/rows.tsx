import type { Schemas } from '@tenantry/client';
import { listAt, PlainLink, Target } from '../parts/links';
import { Moment } from '../parts/moment';
import { useMore } from '../parts/reading';
import { Rows } from '../parts/rows';
import { Section } from '../parts/section';
import { api } from '../session';
import { Actor } from './actor';
import { Data } from './data';

interface AuditRowsProps {
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
export const AuditRows = ({ title, filter }: AuditRowsProps) => {
  const entries = useMore(['audit-rows', filter], (cursor) =>
    api.GET('/admin/audit-log', { params: { query: { ...filter, limit: 6, cursor } } }),
  );
  return (
    <Section title={title} flush aside={<PlainLink to={listAt('audit-log', filter)}>In the audit log</PlainLink>}>
      <Rows<Schemas['AuditEntryView']>
        {...entries}
        keyOf={({ id }) => id}
        empty="Nothing yet."
        columns={{
          When: ({ at }) => <Moment at={at} />,
          ...(filter.action ? {} : { What: ({ action }) => action }),
          ...(filter.actor
            ? { Target: ({ targetType, targetId }) => <Target type={targetType} id={targetId} /> }
            : { By: (entry) => <Actor entry={entry} /> }),
          More: ({ data }) => <Data data={data} />,
        }}
      />
    </Section>
  );
};
