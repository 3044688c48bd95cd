import { Box, Chip } from '@mui/material';
import { CodeBlock } from '../layout/code-block';
import { ListRow } from '../list/list-row';

interface ReceiverAnswerProps {
  /** What was answered to a request; `error` says why it failed, null: it did not. */
  readonly answer: {
    readonly milliseconds: number;
    readonly status: number | null;
    readonly error: string | null;
    readonly response: string;
  };
  /** When the request was sent. */
  readonly at?: string;
  /** The accessible name of the body of the answer. */
  readonly label: string;
}

/** The answer of a receiver: its status, how long it took, and its beginning. */
export function ReceiverAnswer({ answer: { milliseconds, status, error, response }, at, label }: ReceiverAnswerProps) {
  const outcome = error === null ? 'success' : 'error';
  const title = <Chip size="small" variant="outlined" color={outcome} label={status ?? 'No answer'} />;
  return (
    <>
      <ListRow title={title} text={[at, `${milliseconds} ms`, error].filter(Boolean).join(' · ')} />
      {response && (
        <Box sx={{ pb: 1.5 }}>
          <CodeBlock label={label} text={response} />
        </Box>
      )}
    </>
  );
}
