import { Divider, Stack, Typography } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { exactTime } from '../date-format';
import { ReceiverAnswer } from '../receivers/receiver-answer';

/** The attempts of a delivery, the last one first, with the beginning of what was answered. */
export function AttemptList({ attempts }: { attempts: readonly Schemas['WebhookAttemptView'][] }) {
  if (attempts.length === 0) return <Typography color="textSecondary">Not sent yet.</Typography>;
  return (
    <Stack component="ol" divider={<Divider component="li" aria-hidden />} sx={LIST}>
      {attempts.toReversed().map((attempt, index) => (
        <li key={attempt.at}>
          <ReceiverAnswer
            answer={attempt}
            at={exactTime(attempt.at)}
            label={`Answer to attempt ${attempts.length - index}`}
          />
        </li>
      ))}
    </Stack>
  );
}

const LIST = { p: 0, mx: 0, my: -1.5, listStyle: 'none' };
