import { Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { Page, Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { QueryResult, type Read } from '../list/query-result';
import { capitalized } from '../messages';
import { useImpersonationBlock } from '../session';
import { useWorkspacePath } from '../workspace-path';
import { type Receiver, type ReceiverKind, receiverName } from './receiver-texts';

interface FormActions {
  readonly submit: string;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

interface EditReceiverProps<Item extends Receiver> {
  readonly kind: ReceiverKind;
  readonly id: string;
  readonly from: Read<Item>;
  /** Its form. */
  readonly children: (receiver: Item, form: FormActions) => ReactNode;
}

/** The page that changes a receiver. */
export function EditReceiver<Item extends Receiver>({ kind, id, from, children }: EditReceiverProps<Item>) {
  const navigate = useNavigate();
  const path = useWorkspacePath();
  const showToast = useToast();
  const blocked = useImpersonationBlock();
  const page = `${kind.path}/${id}`;
  const leave = () => {
    void navigate(path(page));
  };
  const save = () => {
    showToast(`${capitalized(kind.noun)} saved.`);
    leave();
  };
  const form = { submit: `Save ${kind.noun}`, onDone: save, onCancel: leave };
  const name = from.data ? receiverName(from.data) : capitalized(kind.noun);
  return (
    <Page title={`Edit ${kind.noun}`} back={{ to: page, name }}>
      <Section>
        {blocked ? (
          <Typography color="textSecondary">{blocked}</Typography>
        ) : (
          <QueryResult from={from}>{(found) => children(found, form)}</QueryResult>
        )}
      </Section>
    </Page>
  );
}
