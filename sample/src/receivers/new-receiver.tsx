import { Typography } from '@mui/material';
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { SecretDialog } from '../form/secret-dialog';
import { Page, Section } from '../layout/page';
import { capitalized } from '../messages';
import { useImpersonationBlock } from '../session';
import { useWorkspacePath } from '../workspace-path';
import { listName, type ReceiverKind } from './receiver-texts';
import { SecretUse } from './secret-use';

interface Created {
  readonly id: string;
  readonly secret: string;
}

interface FormActions {
  readonly submit: string;
  readonly onDone: (created: Created) => void;
  readonly onCancel: () => void;
}

interface NewReceiverProps {
  readonly kind: ReceiverKind;
  /** Its form. */
  readonly children: (form: FormActions) => ReactNode;
}

/** The page that creates a receiver, and shows its secret. */
export function NewReceiver({ kind, children }: NewReceiverProps) {
  const navigate = useNavigate();
  const path = useWorkspacePath();
  const blocked = useImpersonationBlock();
  const [created, setCreated] = useState<Created>();
  const open = (page: string) => {
    void navigate(path(page));
  };
  const form = { submit: `Create ${kind.noun}`, onDone: setCreated, onCancel: () => open(kind.path) };
  return (
    <Page title={`New ${kind.noun}`} back={{ to: kind.path, name: listName(kind) }}>
      <Section>{blocked ? <Typography color="textSecondary">{blocked}</Typography> : children(form)}</Section>
      {created && (
        <SecretDialog
          title={`${capitalized(kind.noun)} created`}
          noun="signing secret"
          secret={created.secret}
          done={() => open(`${kind.path}/${created.id}`)}
        >
          <SecretUse />
        </SecretDialog>
      )}
    </Page>
  );
}
