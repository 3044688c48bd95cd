import { Typography } from '@mui/material';

/** What the secret of a receiver is for. */
export const SecretUse = () => (
  <Typography variant="body2" color="textSecondary">
    Your server verifies the signature of each request with it (Standard Webhooks), so that nobody else can send
    anything to it.
  </Typography>
);
