import {
  Button,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  MenuItem,
  Stack,
  TextField,
} from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useState, type MouseEvent } from 'react';
import { useAction } from '../components/use-action';
import { api } from '../api';

const FRONTEND = document.querySelector<HTMLMetaElement>('meta[name="frontend-url"]')?.content ?? '';

interface ImpersonationFormProps {
  readonly user: Schemas['AdminUserDetailView'];
  readonly close: () => void;
}

/**
 * What the dialog asks before, and then the way there. What it was answered goes with it when it
 * closes: the token is kept nowhere else.
 */
export const ImpersonationForm = ({ user: { id, name, memberships }, close }: ImpersonationFormProps) => {
  const [reason, setReason] = useState('');
  const [tenantId, setTenantId] = useState(memberships[0]?.tenantId);
  const [ticket, setTicket] = useState<Ticket>();
  const { act, isBusy } = useAction();
  const begin = () =>
    act(
      async () => {
        const answer = await api.POST('/admin/users/{id}/impersonate', {
          params: { path: { id } },
          body: { reason, tenantId },
        });
        if (answer.ok)
          setTicket({ accessToken: answer.data.accessToken, endsAt: Date.now() + answer.data.expiresIn * 1000 });
        return answer;
      },
      () => `For 15 minutes you can act as ${name}.`,
    );
  const open = ({ currentTarget }: MouseEvent<HTMLAnchorElement>) => {
    if (ticket) currentTarget.href = addressOf(ticket); // by now less of its time is left
    close();
  };
  return (
    <>
      <DialogTitle id="question">{ticket ? `You can act as ${name} now` : `Act as ${name}?`}</DialogTitle>
      <DialogContent>
        <Stack sx={{ gap: 2 }}>
          <DialogContentText>
            For 15 minutes you see and do what {name} can. The audit log names you with everything that is done.
          </DialogContentText>
          {!ticket && (
            <TextField
              autoFocus
              required
              label="Reason"
              helperText={`${name} is told of it.`}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
              placeholder="Ticket 4711: cannot see the invoice"
              fullWidth
            />
          )}
          {!ticket && memberships.length > 1 && (
            <TextField
              select
              label="Tenant"
              value={tenantId}
              onChange={({ target }) => setTenantId(target.value)}
              fullWidth
            >
              {memberships.map((membership) => (
                <MenuItem key={membership.tenantId} value={membership.tenantId}>
                  {membership.tenantName} ({membership.role})
                </MenuItem>
              ))}
            </TextField>
          )}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={close} color="inherit">
          {ticket ? 'Close' : 'Cancel'}
        </Button>
        {ticket ? (
          // Opened by a click of its own: a browser blocks what a page opens by itself, once it had
          // to wait for an answer.
          <Button
            variant="contained"
            component="a"
            href={addressOf(ticket)}
            target="_blank"
            rel="noopener"
            autoFocus
            onClick={open}
          >
            Open the web client
          </Button>
        ) : (
          <Button variant="contained" disabled={!reason.trim()} loading={isBusy} onClick={() => void begin()}>
            Begin
          </Button>
        )}
      </DialogActions>
    </>
  );
};

interface Ticket {
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/** The token is in the fragment, which no server sees. */
function addressOf({ accessToken, endsAt }: Ticket): string {
  const expiresIn = String(Math.floor((endsAt - Date.now()) / 1000));
  return `${FRONTEND}#${new URLSearchParams({ accessToken, expiresIn }).toString()}`;
}
