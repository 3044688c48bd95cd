import { Link as MuiLink } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { lookUpName } from '../name-lookup';

/** The address of a list that is filtered. */
export const listAt = (resource: string, filter: object) =>
  `/${resource}?filter=${encodeURIComponent(JSON.stringify(filter))}`;

/** The address of a record. */
export const recordAt = (resource: string, id: string) => `/${resource}/${id}/show`;

/** A link inside of the panel; in a row that leads elsewhere as a whole it goes its own way. */
export const TextLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <MuiLink component={Link} to={to} underline="hover" onClick={(event: MouseEvent) => event.stopPropagation()}>
    {children}
  </MuiLink>
);

/** How long a name is good for. */
const NAME_MS = 60_000;

interface RecordLinkProps {
  readonly resource: 'users' | 'tenants';
  readonly id: string | null;
}

/** A record that is known by its id, by its name as soon as that is there. */
export const RecordLink = ({ resource, id }: RecordLinkProps) =>
  id ? <NamedLink resource={resource} id={id} /> : <>–</>;

const NamedLink = ({ resource, id }: { resource: string; id: string }) => {
  const { data: name } = useQuery({ queryKey: ['name', id], queryFn: () => lookUpName(id), staleTime: NAME_MS });
  return <TextLink to={recordAt(resource, id)}>{name ?? `…${id.slice(-8)}`}</TextLink>;
};

/** Which of the panel's pages show what an entry of the audit log is about. */
const PLACES: Partial<Record<string, string>> = {
  user: 'users',
  tenant: 'tenants',
  subscription: 'tenants',
  job: 'jobs',
  'webhook-event': 'webhook-events',
};

/**
 * The id of a target that is a list as a whole, such as the list of users that an operator has
 * looked at.
 */
const WHOLE_LIST = 'list';

/** What an entry of the audit log is about. */
export const AuditTarget = ({ type, id }: { type: string; id: string }) => {
  if (id === WHOLE_LIST) return <>{`${type} list`}</>;
  const resource = PLACES[type];
  if (resource === 'users' || resource === 'tenants') return <RecordLink resource={resource} id={id} />;
  return resource ? (
    <TextLink to={recordAt(resource, id)}>{`${type} …${id.slice(-8)}`}</TextLink>
  ) : (
    <>{`${type} …${id.slice(-8)}`}</>
  );
};
