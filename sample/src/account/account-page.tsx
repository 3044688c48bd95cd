import { Stack, Typography } from '@mui/material';
import { Page, Section } from '../layout/page';
import { QueryResult } from '../list/query-result';
import { useMe } from '../queries';
import { useImpersonationBlock } from '../session';
import { AccountTabs } from './account-tabs';
import { DataExport } from './data-export';
import { DeleteAccount } from './delete-account';
import { EmailChangeButton } from './email-change-button';
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
        {({ user }) => (
          <>
            <Section title="Profile" text="Members of your workspaces see your picture and your name.">
              {blocked ? (
                <Typography color="textSecondary">{blocked}</Typography>
              ) : (
                <Stack spacing={3}>
                  <ProfilePicture {...user} />
                  <ProfileForm {...user} />
                </Stack>
              )}
            </Section>
            <Section
              title="Email address"
              text="You sign in with it, and emails about your account go to it."
              action={!blocked && <EmailChangeButton />}
            >
              <Typography sx={{ overflowWrap: 'anywhere' }}>{user.email}</Typography>
            </Section>
          </>
        )}
      </QueryResult>
      <DataExport />
      <DeleteAccount />
    </Page>
  );
}
