import { Autocomplete, TextField } from '@mui/material';
import { useInput } from 'react-admin';

interface SuggestionFilterProps {
  /** The name of the filter. */
  readonly source: string;
  readonly label: string;
  /** The usual values; any other can be typed. */
  readonly options: readonly string[];
  /** Whether the API finds a part of a value: what is typed stays as it is. */
  readonly isPartial?: boolean;
}

/** A filter by one of many values, which are offered by any part of them. */
export const SuggestionFilter = ({ source, label, options, isPartial = false }: SuggestionFilterProps) => {
  const { field } = useInput({ source, defaultValue: '' });
  const value = field.value as string;
  const behavior = isPartial
    ? { inputValue: value, onInputChange: (_: unknown, typed: string) => field.onChange(typed) }
    : {
        autoHighlight: true,
        autoSelect: true,
        onChange: (_: unknown, chosen: string | null) =>
          field.onChange(chosen ? closestOf(options, chosen.trim()) : ''),
      };
  return (
    <Autocomplete
      freeSolo
      slotProps={WIDE_POPUP}
      options={options}
      value={value || null}
      {...behavior}
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
