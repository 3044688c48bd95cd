import { Autocomplete, Box, TextField } from '@mui/material';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useInput } from 'react-admin';
import { useRecordName } from '../name-lookup';
import { searchRecords, type FoundRecord, type Searchable } from './record-search';
import { WIDE_POPUP } from './suggestion-filter';
import { useDebounced } from './use-debounced';

interface RecordFilterProps {
  /** The name of the filter, whose value is an ID. */
  readonly source: string;
  readonly label: string;
  /** What is searched. */
  readonly resources: readonly Searchable[];
}

/** A filter by a user or a tenant, found by name, email or ID. */
export const RecordFilter = ({ source, label, resources }: RecordFilterProps) => {
  const { field } = useInput({ source, defaultValue: '' });
  const id = field.value as string;
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim());
  const { data: found = [], isFetching } = useQuery({
    queryKey: ['record-filter', resources, search],
    queryFn: () => searchRecords(resources, search),
    enabled: isOpen && search !== '', // reading a list is recorded in the audit log
    placeholderData: keepPreviousData,
  });
  const name = useRecordName(id || undefined);
  const chosen: FoundRecord | null = id ? { id, name: name ?? id, resource: resources[0] } : null;
  return (
    <Autocomplete
      autoHighlight
      open={isOpen}
      onOpen={() => setIsOpen(true)}
      onClose={() => setIsOpen(false)}
      options={search === '' ? [] : found}
      slotProps={WIDE_POPUP}
      filterOptions={(options) => options}
      loading={isFetching}
      noOptionsText={search === '' ? 'Type a name, email or ID' : 'No results'}
      value={chosen}
      onChange={(_, option) => field.onChange(option?.id ?? '')}
      onInputChange={(_, text, reason) => setTyped(reason === 'input' ? text : '')}
      getOptionLabel={(option) => option.name}
      getOptionKey={(option) => option.id}
      isOptionEqualToValue={(option, value) => option.id === value.id}
      groupBy={resources.length > 1 ? ({ resource }) => (resource === 'users' ? 'Users' : 'Tenants') : undefined}
      renderOption={({ key, ...item }, option) => (
        <Box component="li" key={key} {...item}>
          <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            {option.name}
            {option.email && <Box sx={{ color: 'text.secondary', fontSize: '0.75rem' }}>{option.email}</Box>}
          </Box>
        </Box>
      )}
      renderInput={(input) => <TextField {...input} label={label} />}
    />
  );
};
