import { Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '@tenantry/client';
import { Page, Section } from '../layout/page';
import { QueryResult } from '../list/query-result';
import { useSignInMethods } from '../queries';
import { api, useImpersonationBlock } from '../session';
import { AccountTabs } from './account-tabs';
import { PasskeyList } from './passkey-list';
import { SecondFactor } from './second-factor';
import { SessionList } from './session-list';
import { SignInMethods } from './sign-in-methods';
import { TrustedBrowsers } from './trusted-browsers';

/** How the user signs in, and where they are signed in. */
export default function SecurityPage() {
  const blocked = useImpersonationBlock();
  return (
    <Page title="Your account" tabTitle="Security">
      <AccountTabs />
      {blocked ? (
        <Section title="Security">
          <Typography color="textSecondary">{blocked}</Typography>
        </Section>
      ) : (
        <SecuritySections />
      )}
    </Page>
  );
}

function SecuritySections() {
  const methods = useSignInMethods();
  const factors = useQuery({ queryKey: ['factors'], queryFn: async () => unwrap(await api.GET('/auth/factors')) });
  return (
    <>
      <Section
        title="Sign-in methods"
        text="Keep a password, a passkey or a linked provider. Emailed links alone are not enough."
      >
        <QueryResult from={methods}>{(found) => <SignInMethods {...found} />}</QueryResult>
      </Section>
      <PasskeyList />
      <Section
        title="Two-step sign-in"
        text="With an authenticator app, a stolen password or mailbox is not enough to sign in as you."
      >
        <QueryResult from={factors}>{(found) => <SecondFactor {...found} />}</QueryResult>
      </Section>
      {factors.data?.totp && <TrustedBrowsers />}
      <SessionList />
    </>
  );
}
