import { Autocomplete } from '@mui/material';
import { Field } from '../form/field';

/** Browsers list some zones under names that are no longer used. */
const RENAMED: Readonly<Record<string, string>> = {
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv',
};
const currentName = (zone: string) => RENAMED[zone] ?? zone;

const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(currentName)])].sort();
const HERE = currentName(Intl.DateTimeFormat().resolvedOptions().timeZone);

/** The time zone of dates; empty: as on the device, and UTC in emails. */
export function TimeZoneField({ defaultValue }: { defaultValue: string | null }) {
  const options = defaultValue && !ZONES.includes(defaultValue) ? [defaultValue, ...ZONES] : ZONES;
  return (
    <Autocomplete
      options={options}
      defaultValue={defaultValue}
      getOptionLabel={(zone) => zone.replaceAll('_', ' ')}
      renderInput={({ slotProps, ...params }) => (
        <Field
          {...params}
          slotProps={{ ...slotProps, inputLabel: { ...slotProps.inputLabel, shrink: true } }}
          name="timeZone"
          label="Time zone"
          placeholder={`As on this device (${HERE.replaceAll('_', ' ')})`}
          helperText="For dates on these pages and in emails. Until you choose one, emails use UTC."
        />
      )}
    />
  );
}
