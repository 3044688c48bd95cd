import SearchIcon from '@mui/icons-material/SearchOutlined';
import { Box, ButtonBase } from '@mui/material';
import { useEffect, useState } from 'react';
import { SearchDialog } from './search-dialog';

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Opens the search, as does ⌘K or Ctrl+K on every page. */
export const SearchButton = () => {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(IS_MAC ? event.metaKey : event.ctrlKey)) return;
      event.preventDefault();
      setIsOpen((before) => !before);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <ButtonBase
        aria-keyshortcuts={IS_MAC ? 'Meta+K' : 'Control+K'}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        sx={BOX}
      >
        <SearchIcon sx={{ fontSize: 20 }} />
        <Box component="span" sx={LABEL}>
          Search
        </Box>
        <Box component="kbd" aria-hidden sx={KEYS}>
          {IS_MAC ? '⌘K' : 'Ctrl K'}
        </Box>
      </ButtonBase>
      {isOpen && <SearchDialog close={() => setIsOpen(false)} />}
    </>
  );
};

/** On a phone only the icon is visible, and screen readers still read the text. */
const LABEL = {
  flexGrow: 1,
  textAlign: 'left',
  position: { xs: 'absolute', sm: 'static' },
  clipPath: { xs: 'inset(50%)', sm: 'none' },
};
const KEYS = {
  display: { xs: 'none', sm: 'inline' },
  font: 'inherit',
  fontSize: '0.75rem',
  border: 1,
  borderColor: 'divider',
  borderRadius: 0.5,
  px: 0.5,
};
const BOX = {
  color: { xs: 'text.primary', sm: 'text.secondary' },
  fontSize: '0.875rem',
  gap: 1,
  mx: { xs: 0, sm: 1 },
  p: { xs: 1, sm: 0.75 },
  width: { xs: 'auto', sm: 220, md: 280 },
  borderRadius: 1,
  border: { xs: 0, sm: 1 },
  borderColor: { sm: 'divider' },
  backgroundColor: { sm: 'background.default' },
  '&:hover': { color: 'text.primary', borderColor: 'text.secondary' },
};
