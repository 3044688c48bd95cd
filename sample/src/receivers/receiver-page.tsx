import type { ReactNode } from 'react';
import { NotFound } from '../layout/not-found';
import { Page } from '../layout/page';
import { QueryResult, type Read } from '../list/query-result';
import { capitalized } from '../messages';
import { useWorkspacePath } from '../workspace-path';
import { listName, type Receiver, type ReceiverKind, receiverName } from './receiver-texts';

interface ReceiverPageProps<Item extends Receiver> {
  readonly kind: ReceiverKind;
  readonly from: Read<Item>;
  /** The main action. */
  readonly action: (receiver: Item) => ReactNode;
  /** The sections. */
  readonly children: (receiver: Item) => ReactNode;
}

/** The page of a receiver. It says so if there is none. */
export function ReceiverPage<Item extends Receiver>({ kind, from, action, children }: ReceiverPageProps<Item>) {
  const path = useWorkspacePath();
  const code = from.data ? undefined : from.error?.failure.code;
  if (code === 'NOT_FOUND' || code === 'VALIDATION_ERROR') {
    const back = { to: path(kind.path), label: `Back to ${kind.noun}s` };
    return <NotFound title={`${capitalized(kind.noun)} not found`} text="It may have been deleted." {...back} />;
  }
  return (
    <QueryResult from={from}>
      {(receiver) => (
        <Page title={receiverName(receiver)} back={{ to: kind.path, name: listName(kind) }} action={action(receiver)}>
          {children(receiver)}
        </Page>
      )}
    </QueryResult>
  );
}
