import { Button, Stack } from '@mui/material';
import { dayIn, dayOf } from '../date-format';

const LATER_BY = [7, 14, 30];

interface DayPresetsProps {
  /** The time that the days are counted from. */
  readonly from: Date;
  /** The value of the date field. */
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** Buttons that set a date field to a day some days later. */
export const DayPresets = ({ from, value, onChange }: DayPresetsProps) => (
  <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
    {LATER_BY.map((days) => {
      const day = dayOf(dayIn(days, from));
      return (
        <Button key={days} variant="outlined" size="small" aria-pressed={value === day} onClick={() => onChange(day)}>
          +{days} days
        </Button>
      );
    })}
  </Stack>
);
