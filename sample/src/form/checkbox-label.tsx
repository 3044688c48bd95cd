import { Typography } from '@mui/material';

/** The label of a choice, with details in a second line. */
export const CheckboxLabel = ({ text, detail }: { text: string; detail: string }) => (
  <>
    {text}
    <Typography variant="caption" component="div" color="textSecondary">
      {detail}
    </Typography>
  </>
);
