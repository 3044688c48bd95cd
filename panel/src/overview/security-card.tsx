import { Alert } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { Field, FieldList } from '../components/field-list';
import { Section } from '../components/section';

const yes = (value: boolean | null) => (value === null ? undefined : value ? 'Yes' : 'No');

/** The security settings of the service, with warnings in production. */
export const SecurityCard = ({ posture }: { posture: Schemas['PostureView'] }) => (
  <Section title="Security">
    <FieldList>
      <Field name="Database roles">
        {posture.databaseRoles === null ? undefined : posture.databaseRoles === 'two' ? 'Two' : 'One'}
      </Field>
      <Field name="Bypasses row-level security">{yes(posture.bypassesRowLevelSecurity)}</Field>
      <Field name="HTTPS">{yes(posture.https)}</Field>
      <Field name="Secure cookies">{yes(posture.secureCookies)}</Field>
      <Field name="Trusted proxies">{posture.trustedProxies === 'false' ? 'None' : posture.trustedProxies}</Field>
      <Field name="Email encrypted">{yes(posture.mailEncrypted)}</Field>
      <Field name="Shared rate limits">{yes(posture.sharedLimits)}</Field>
      <Field name="Second factor for admins">{posture.adminSecondFactor ? 'Required' : 'Optional'}</Field>
      <Field name="Exceptions">{posture.exceptions.join(', ') || 'None'}</Field>
    </FieldList>
    {posture.production &&
      posture.warnings.map((warning) => (
        <Alert key={warning} severity="warning" sx={{ mt: 1 }}>
          {warning}
        </Alert>
      ))}
  </Section>
);
