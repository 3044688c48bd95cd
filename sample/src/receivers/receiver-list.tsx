import { Button, Link } from '@mui/material';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { dateTime } from '../date-format';
import { DisabledReason } from '../form/disabled-reason';
import { Page, Section } from '../layout/page';
import { ListRow } from '../list/list-row';
import { PagedList } from '../list/paged-list';
import type { usePagedQuery } from '../queries';
import { useImpersonationBlock } from '../session';
import { useWorkspacePath } from '../workspace-path';
import { ReceiverStateChip } from './receiver-state';
import { disabledText, listName, type Receiver, type ReceiverKind } from './receiver-texts';

interface ReceiverListProps<Item extends Receiver> {
  readonly kind: ReceiverKind;
  /** What is sent, with a link to the documentation. */
  readonly text: ReactNode;
  readonly pages: ReturnType<typeof usePagedQuery<Item>>;
  /** Shown for an empty list. */
  readonly empty: string;
  /** What members chose for one of them, and how it does, besides its state. */
  readonly about: (receiver: Item) => readonly (string | null | undefined)[];
  /** Whether members can create one. */
  readonly canCreate?: boolean;
  /** Why no other one can be created, if there are as many as there can be. */
  readonly fullReason?: string;
  /** Above the list. */
  readonly children?: ReactNode;
}

/** The page with all receivers of a kind. */
export function ReceiverList<Item extends Receiver>(props: ReceiverListProps<Item>) {
  const { kind, text, pages, empty, about, canCreate = true, fullReason, children } = props;
  const blocked = useImpersonationBlock();
  const path = useWorkspacePath();
  const create = (
    <DisabledReason reason={fullReason}>
      <Button
        variant="contained"
        component={RouterLink}
        to={path(`${kind.path}/new`)}
        disabled={fullReason !== undefined}
      >
        New {kind.noun}
      </Button>
    </DisabledReason>
  );
  return (
    <Page title={listName(kind)} text={text} action={!blocked && canCreate && create}>
      {children}
      <Section>
        <PagedList pages={pages} empty={empty}>
          {(receiver) => <ReceiverRow {...{ receiver, kind }} about={about(receiver)} />}
        </PagedList>
      </Section>
    </Page>
  );
}

interface ReceiverRowProps {
  readonly receiver: Receiver;
  readonly kind: ReceiverKind;
  readonly about: readonly (string | null | undefined)[];
}

function ReceiverRow({ receiver, kind, about }: ReceiverRowProps) {
  const path = useWorkspacePath();
  const { id, url, description, failingSince } = receiver;
  const title = (
    <>
      <Link component={RouterLink} to={path(`${kind.path}/${id}`)}>
        {url}
      </Link>
      <ReceiverStateChip {...{ receiver, kind }} />
    </>
  );
  const state = disabledText(receiver, kind) ?? (failingSince && `Failing since ${dateTime(failingSince)}`);
  return <ListRow title={title} text={[description, ...about, state].filter(Boolean).join(' · ')} />;
}
