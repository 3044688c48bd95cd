import { Button, type ButtonProps } from '@mui/material';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** A link to another page that looks like a button; on the pages around signing in. */
export const ButtonLink = ({
  to,
  variant = 'contained',
  children,
}: {
  to: string;
  variant?: ButtonProps['variant'];
  children: ReactNode;
}) => (
  <Button component={Link} to={to} fullWidth variant={variant}>
    {children}
  </Button>
);
