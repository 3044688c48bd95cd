import { Autocomplete, TextField } from '@mui/material';
import { useInput } from 'react-admin';

interface SuggestionFilterProps {
  /** The name of the filter. */
  readonly source: string;
  readonly label: string;
  /** The usual values; any other can be typed. */
  readonly options: readonly string[];
}

/** A filter by one of many values, found by typing a part of it. */
export const SuggestionFilter = ({ source, label, options }: SuggestionFilterProps) => {
  const { field } = useInput({ source, defaultValue: '' });
  return (
    <Autocomplete
      freeSolo
      autoHighlight
      slotProps={WIDE_POPUP}
      autoSelect
      options={options}
      value={(field.value as string) || null}
      onChange={(_, chosen: string | null) => field.onChange(chosen ? closestOf(options, chosen.trim()) : '')}
      renderInput={(input) => <TextField {...input} label={label} />}
    />
  );
};

/** The value that is meant by a part of it: the first one offered. */
const closestOf = (options: readonly string[], text: string) =>
  options.find((option) => option === text) ?? options.find((option) => option.includes(text.toLowerCase())) ?? text;

/** Values may be longer than the field is wide. */
export const WIDE_POPUP = {
  popper: { placement: 'bottom-start', sx: { '&&': { width: 'auto !important', minWidth: 260 } } },
} as const;
