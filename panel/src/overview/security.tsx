import { Alert } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { Fact, Facts } from '../parts/facts';
import { Section } from '../parts/section';

const yes = (value: boolean | null) => (value === null ? undefined : value ? 'Yes' : 'No');

/** How well the service is protected, and what could be better. */
export const SecurityPart = ({ posture }: { posture: Schemas['PostureView'] }) => (
  <Section title="Security">
    <Facts>
      <Fact name="Database roles">
        {posture.databaseRoles === null ? undefined : posture.databaseRoles === 'two' ? 'Two' : 'One'}
      </Fact>
      <Fact name="Bypasses row-level security">{yes(posture.bypassesRowLevelSecurity)}</Fact>
      <Fact name="HTTPS">{yes(posture.https)}</Fact>
      <Fact name="Secure cookies">{yes(posture.secureCookies)}</Fact>
      <Fact name="Trusted proxies">{posture.trustedProxies === 'false' ? 'None' : posture.trustedProxies}</Fact>
      <Fact name="Mail encrypted">{yes(posture.mailEncrypted)}</Fact>
      <Fact name="Limits shared">{yes(posture.sharedLimits)}</Fact>
      <Fact name="Exceptions">{posture.exceptions.join(', ') || 'None'}</Fact>
    </Facts>
    {posture.production &&
      posture.warnings.map((warning) => (
        <Alert key={warning} severity="warning" sx={{ mt: 1 }}>
          {warning}
        </Alert>
      ))}
  </Section>
);
