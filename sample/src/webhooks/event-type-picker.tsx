import { Checkbox, FormControl, FormControlLabel, FormHelperText, FormLabel, Radio, RadioGroup } from '@mui/material';
import { use } from 'react';
import { FieldErrors } from '../form/form';
import { CheckboxLabel } from '../form/checkbox-label';
import { QueryResult } from '../list/query-result';
import { useEventTypes } from './webhook-queries';

interface EventTypePickerProps {
  /** Null: all. */
  readonly chosen: readonly string[] | null;
  readonly choose: (types: readonly string[] | null) => void;
}

/** The types of events that an endpoint gets: all, also those that are added later, or some. */
export function EventTypePicker({ chosen, choose }: EventTypePickerProps) {
  const types = useEventTypes();
  const error = use(FieldErrors).types;
  return (
    <FormControl component="fieldset">
      <FormLabel component="legend" sx={LEGEND}>
        Events
      </FormLabel>
      <RadioGroup value={chosen ? 'some' : 'all'} onChange={(_, value) => choose(value === 'all' ? null : [])}>
        <FormControlLabel
          value="all"
          control={<Radio />}
          label={<CheckboxLabel text="All events" detail="Also types of events that are added later" />}
        />
        <FormControlLabel value="some" control={<Radio />} label="Selected events" />
      </RadioGroup>
      {chosen && (
        <QueryResult from={types}>
          {(all) =>
            all.map(({ type, summary }) => (
              <FormControlLabel
                key={type}
                sx={{ ml: 2, mt: 0.5 }}
                control={
                  <Checkbox
                    checked={chosen.includes(type)}
                    onChange={(_, checked) =>
                      choose(checked ? [...chosen, type] : chosen.filter((other) => other !== type))
                    }
                  />
                }
                label={<CheckboxLabel text={inPages(summary)} detail={type} />}
              />
            ))
          }
        </QueryResult>
      )}
      {/* makes it a field of the form, which then leaves its errors to be shown here */}
      <input type="hidden" name="types" />
      {error && <FormHelperText error>{error.message}</FormHelperText>}
    </FormControl>
  );
}

const LEGEND = { fontWeight: 600, '&.Mui-focused': { color: 'text.secondary' } };

/** The API says tenant where pages say workspace. */
const inPages = (summary: string) => summary.replaceAll('tenant', 'workspace');
