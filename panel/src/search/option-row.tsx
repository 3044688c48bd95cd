import Box from '@mui/material/Box';
import { alpha, type Theme } from '@mui/material/styles';
import { useEffect, useRef } from 'react';
import type { SearchOption } from './use-search-options';

interface OptionRowProps {
  readonly id: string;
  readonly option: SearchOption;
  readonly isActive: boolean;
  /** Called when the mouse is over the row. */
  readonly onEnter: () => void;
  readonly onOpen: () => void;
}

/** A result of the search. The focus stays in the input, which names the active row. */
export const OptionRow = ({ id, option: { title, detail, kind }, isActive, onEnter, onOpen }: OptionRowProps) => {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <Box
      component="li"
      ref={row}
      id={id}
      role="option"
      aria-selected={isActive}
      onMouseMove={isActive ? undefined : onEnter}
      onClick={onOpen}
      sx={[ROW, isActive && ACTIVE]}
    >
      <Box sx={{ minWidth: 0, flexGrow: 1 }}>
        <Box sx={{ ...ONE_LINE, fontWeight: 550 }}>{title}</Box>
        {detail && <Box sx={{ ...ONE_LINE, fontSize: '0.8125rem', color: 'text.secondary' }}>{detail}</Box>}
      </Box>
      <Box sx={{ fontSize: '0.75rem', color: 'text.secondary', whiteSpace: 'nowrap' }}>{kind}</Box>
    </Box>
  );
};

const ONE_LINE = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' };
const ROW = { display: 'flex', alignItems: 'center', gap: 2, px: 1.25, py: 0.75, borderRadius: 1, cursor: 'pointer' };
const ACTIVE = { backgroundColor: ({ palette }: Theme) => alpha(palette.primary.main, 0.12) };
