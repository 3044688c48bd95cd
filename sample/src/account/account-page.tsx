import { Typography } from '@mui/material';
import { Page, Section } from '../layout/page';
import { QueryResult } from '../list/query-result';
import { useMe } from '../queries';
import { useImpersonationBlock } from '../session';
import { AccountTabs } from './account-tabs';
import { ProfileForm } from './profile-form';
import { ProfilePicture } from './profile-picture';

/** The user's own account. */
export default function AccountPage() {
  const me = useMe();
  const blocked = useImpersonationBlock();
  return (
    <Page title="Your account">
      <AccountTabs />
      <QueryResult from={me}>
        {({ user }) =>
          blocked ? (
            <Section title="Profile" text={`You sign in as ${user.email}.`}>
              <Typography color="textSecondary">{blocked}</Typography>
            </Section>
          ) : (
            <>
              <Section title="Picture" text="Shown to the members of your workspaces.">
                <ProfilePicture {...user} />
              </Section>
              <Section title="Profile" text={`You sign in as ${user.email}.`}>
                <ProfileForm {...user} />
              </Section>
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}
