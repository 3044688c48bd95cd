import { Box, Link as MuiLink } from '@mui/material';
import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { useRecordName } from '../name-lookup';

/** The address of a list with a filter. */
export const listAt = (resource: string, filter: object) =>
  `/${resource}?filter=${encodeURIComponent(JSON.stringify(filter))}`;

/** The address of a record. */
export const recordAt = (resource: string, id: string) => `/${resource}/${id}/show`;

/** The end of an ID, where all of it would not fit. */
export const shortId = (id: string) => `…${id.slice(-8)}`;

/** A link within the panel. In a row that is a link itself, only this link is followed. */
export const TextLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <MuiLink component={Link} to={to} underline="hover" onClick={(event: MouseEvent) => event.stopPropagation()}>
    {children}
  </MuiLink>
);

interface RecordLinkProps {
  readonly resource: 'users' | 'tenants';
  readonly id: string | null;
  /** The name that a deleted record had, if it is known. */
  readonly formerName?: string;
}

/** A link to a user or tenant by name; plain text if it was deleted. */
export const RecordLink = ({ id, ...rest }: RecordLinkProps) => (id ? <NamedLink id={id} {...rest} /> : <>–</>);

const NamedLink = ({ resource, id, formerName }: RecordLinkProps & { id: string }) => {
  const name = useRecordName(id);
  if (name === null) return <span title={id}>{`${formerName ?? shortId(id)} (deleted)`}</span>;
  if (name === undefined) return <>{shortId(id)}</>;
  return (
    <Box component="span" title={name} sx={ONE_LINE}>
      <TextLink to={recordAt(resource, id)}>{name}</TextLink>
    </Box>
  );
};

/** A long name is cut off; the tooltip shows all of it. */
const ONE_LINE = {
  display: 'inline-block',
  maxWidth: 180,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  verticalAlign: 'bottom',
};
