import { Box, Chip, Divider, Stack, Typography } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { exactTime } from '../date-format';
import { CodeBlock } from '../layout/code-block';
import { ListRow } from '../list/list-row';

type Attempt = Schemas['WebhookAttemptView'];

/** The attempts of a delivery, the last one first, with the beginning of what was answered. */
export function AttemptList({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <Typography color="textSecondary">Not sent yet.</Typography>;
  return (
    <Stack component="ol" divider={<Divider component="li" aria-hidden />} sx={LIST}>
      {attempts.toReversed().map((attempt, index) => (
        <li key={attempt.at}>
          <AttemptRow attempt={attempt} number={attempts.length - index} />
        </li>
      ))}
    </Stack>
  );
}

function AttemptRow({
  attempt: { at, milliseconds, status, error, response },
  number,
}: {
  attempt: Attempt;
  number: number;
}) {
  const outcome = error === null ? 'success' : 'error';
  const title = <Chip size="small" variant="outlined" color={outcome} label={status ?? 'No answer'} />;
  return (
    <>
      <ListRow title={title} text={[exactTime(at), `${milliseconds} ms`, error].filter(Boolean).join(' · ')} />
      {response && (
        <Box sx={{ pb: 1.5 }}>
          <CodeBlock label={`Answer to attempt ${number}`} text={response} />
        </Box>
      )}
    </>
  );
}

const LIST = { p: 0, mx: 0, my: -1.5, listStyle: 'none' };
