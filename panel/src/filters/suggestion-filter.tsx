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
      autoSelect
      options={options}
      value={(field.value as string) || null}
      onChange={(_, chosen: string | null) => field.onChange(chosen?.trim() ?? '')}
      renderInput={(input) => <TextField {...input} label={label} />}
    />
  );
};
