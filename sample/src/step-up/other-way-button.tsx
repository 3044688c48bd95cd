import { Button } from '@mui/material';
import type { ReactNode } from 'react';

/** Chooses another way to confirm the identity. Its label is in line with the text above. */
export const OtherWayButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <Button size="small" sx={{ alignSelf: 'flex-start', mx: -0.5 }} onClick={onClick}>
    {children}
  </Button>
);
