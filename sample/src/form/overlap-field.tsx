import { MenuItem } from '@mui/material';
import { Field } from './field';

/** Hours for which what is replaced can still be used, as they are offered. */
const OVERLAPS: readonly (readonly [hours: number, name: string])[] = [
  [0, 'No longer at all'],
  [1, '1 hour'],
  [24, '1 day'],
  [72, '3 days'],
  [168, '7 days'],
];
const DEFAULT_HOURS = 24;

/** For how long what is replaced can still be used: `overlapHours`. */
export const OverlapField = ({ label }: { label: string }) => (
  <Field select name="overlapHours" label={label} defaultValue={DEFAULT_HOURS}>
    {OVERLAPS.map(([hours, name]) => (
      <MenuItem key={hours} value={hours}>
        {name}
      </MenuItem>
    ))}
  </Field>
);
