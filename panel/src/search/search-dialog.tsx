import SearchIcon from '@mui/icons-material/SearchOutlined';
import { Box, Dialog, InputBase, LinearProgress } from '@mui/material';
import { useId, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import { ErrorAlert } from '../components/error-alert';
import { OptionRow } from './option-row';
import { useSearchOptions } from './use-search-options';

/** The search over pages and records: a combobox with a list of what was found. */
export const SearchDialog = ({ close }: { close: () => void }) => {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { options, error, isBusy } = useSearchOptions(text);
  const navigate = useNavigate();
  const listId = useId();
  const active = Math.min(at, options.length - 1);
  const open = (to: string) => {
    close();
    void navigate(to);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && options.length > 0) setAt((active + step + options.length) % options.length);
    else if (event.key === 'Enter' && options.at(active)) open(options[active].to);
    else return;
    event.preventDefault();
  };
  const count = options.length === 1 ? '1 result' : `${options.length} results`;
  const summary = isBusy ? '' : options.length === 0 ? 'No results.' : count;
  return (
    <Dialog open onClose={close} fullWidth maxWidth="sm" slotProps={{ paper: { 'aria-label': 'Search' } }} sx={TOP}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, px: 2, borderBottom: 1, borderColor: 'divider' }}>
        <SearchIcon sx={{ color: 'text.secondary' }} />
        <InputBase
          autoFocus
          fullWidth
          value={text}
          placeholder="Email, name or ID"
          onChange={({ target }) => {
            setText(target.value);
            setAt(0);
          }}
          onKeyDown={onKey}
          sx={{ py: 1.25, fontSize: '1rem' }}
          inputProps={{
            role: 'combobox',
            'aria-label': 'Search',
            'aria-expanded': options.length > 0,
            'aria-controls': listId,
            'aria-autocomplete': 'list',
            'aria-activedescendant': options.length > 0 ? `${listId}-${active}` : undefined,
            maxLength: 100,
          }}
        />
      </Box>
      <Box sx={{ height: 2 }}>{isBusy && <LinearProgress aria-label="Searching" sx={{ height: 2 }} />}</Box>
      {error !== null && <ErrorAlert error={error} />}
      <Box component="ul" role="listbox" id={listId} aria-label="Results" sx={LIST}>
        {options.map((option, index) => (
          <OptionRow
            key={option.to}
            id={`${listId}-${index}`}
            option={option}
            isActive={index === active}
            onEnter={() => setAt(index)}
            onOpen={() => open(option.to)}
          />
        ))}
      </Box>
      <Box role="status" sx={{ px: 2, py: 1, minHeight: 20, fontSize: '0.8125rem', color: 'text.secondary' }}>
        {summary}
      </Box>
    </Dialog>
  );
};

/** The list grows downwards; the input stays where it is. */
const TOP = { '& .MuiDialog-container': { alignItems: 'flex-start' }, '& .MuiDialog-paper': { mt: { sm: 10 } } };
const LIST = { m: 0, p: 0.75, listStyle: 'none', maxHeight: '60dvh', overflowY: 'auto' };
