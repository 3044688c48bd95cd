import { Box, Button } from '@mui/material';
import type { Answer } from '@tenantry/client';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { DialogButton } from '../form/form-dialog';
import { type Fact, FactList } from '../layout/fact-list';
import { Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { capitalized } from '../messages';
import { useImpersonationBlock } from '../session';
import { useWorkspacePath } from '../workspace-path';
import { ReceiverStateChip } from './receiver-state';
import { operatorBlock, type Receiver, type ReceiverKind } from './receiver-texts';

interface ReceiverDetailsProps {
  readonly kind: ReceiverKind;
  readonly receiver: Receiver;
  /** What members chose besides the address and the description, and how it does. */
  readonly facts: readonly Fact[];
  /** What is lost with it. */
  readonly deletion: string;
  readonly remove: () => Promise<Answer<unknown>>;
  /** The button that stops it, or starts it again. */
  readonly children: ReactNode;
}

/** The state of a receiver, what members chose for it, and the buttons that change it. */
export function ReceiverDetails({ kind, receiver, facts, deletion, remove, children }: ReceiverDetailsProps) {
  const blocked = useImpersonationBlock();
  const path = useWorkspacePath();
  const navigate = useNavigate();
  const showToast = useToast();
  const { id, url, description } = receiver;
  const leave = () => {
    showToast(`${capitalized(kind.noun)} deleted.`);
    void navigate(path(kind.path));
  };
  const actions = (
    <Box sx={ACTIONS}>
      {!blocked && (
        <Button size="small" color="inherit" component={Link} to={path(`${kind.path}/${id}/edit`)}>
          Edit
        </Button>
      )}
      {children}
      <DialogButton
        button="Delete"
        disabledReason={blocked ?? operatorBlock(receiver)}
        title={`Delete this ${kind.noun}?`}
        text={`${deletion} This can’t be undone.`}
        submit="Delete"
        isDanger
        send={remove}
        onDone={leave}
      />
    </Box>
  );
  const common = [
    { name: 'State', value: <ReceiverStateChip {...{ receiver, kind }} /> },
    { name: 'URL', value: url },
    { name: 'Description', value: description },
  ];
  return (
    <Section title="Endpoint" action={actions}>
      <FactList facts={[...common, ...facts]} />
    </Section>
  );
}

/** On a phone they are below the title, and in line with it. */
const ACTIONS = {
  display: 'flex',
  gap: 0.5,
  flexWrap: 'wrap',
  ml: { xs: -0.625, sm: 0 },
  '& .MuiButton-root': { minWidth: 0 },
};
