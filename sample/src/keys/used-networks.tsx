import { Button } from '@mui/material';
import { useState } from 'react';
import type { ApiKey } from './key-queries';

/** How many are listed at first. */
const FIRST = 3;

/** From which networks a key was used. Many of them are listed on demand. */
export function UsedNetworks({ apiKey: { usedNetworks } }: { apiKey: ApiKey }) {
  const [isOpen, setOpen] = useState(false);
  if (usedNetworks.length === 0) return null;
  const others = usedNetworks.length - FIRST;
  if (others <= 1) return <div>Used from {usedNetworks.join(', ')}</div>;
  const shown = isOpen ? usedNetworks : usedNetworks.slice(0, FIRST);
  return (
    <div>
      Used from {shown.join(', ')}
      {isOpen ? ' · ' : ' and '}
      <Button size="small" aria-expanded={isOpen} sx={INLINE} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Show fewer' : `${others} more networks`}
      </Button>
    </div>
  );
}

/** A button in a line of text. */
const INLINE = { p: 0, minWidth: 0, font: 'inherit', verticalAlign: 'baseline', textDecoration: 'underline' };
