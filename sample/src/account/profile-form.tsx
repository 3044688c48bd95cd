import { MenuItem } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { Field, NameField } from '../form/field';
import { Form } from '../form/form';
import { useToast } from '../layout/toasts';
import { api } from '../session';
import { TimeZoneField } from './time-zone-field';

/** The pages are in English, so these are the languages that make a difference. */
const LANGUAGES = ['en-US', 'en-AU', 'en-CA', 'en-GB', 'en-IE', 'en-IN', 'en-NZ', 'en-ZA'];
/** The value of a select that stands for null. */
const DEVICE = 'device';

type ProfileFormProps = Pick<Schemas['UserView'], 'language' | 'name' | 'timeZone'>;

/** The user's name, and how dates are written. */
export function ProfileForm({ name, language, timeZone }: ProfileFormProps) {
  const showToast = useToast();
  return (
    <Form
      submit="Save"
      send={(values) =>
        api.PATCH('/users/me', {
          body: {
            name: values.name ?? '',
            language: values.language === DEVICE ? null : values.language,
            timeZone: values.timeZone?.replaceAll(' ', '_') || null,
          },
        })
      }
      onDone={() => showToast('Profile saved.')}
    >
      <NameField defaultValue={name} />
      <Field name="language" label="Language" select defaultValue={language ?? DEVICE}>
        <MenuItem value={DEVICE}>As on this device</MenuItem>
        {[...new Set([...LANGUAGES, ...(language ? [language] : [])])].map((tag) => (
          <MenuItem key={tag} value={tag}>
            {names.of(tag)}
          </MenuItem>
        ))}
      </Field>
      <TimeZoneField defaultValue={timeZone} />
    </Form>
  );
}

const names = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });
