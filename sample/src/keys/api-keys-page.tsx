import { LimitNotice } from '../billing/usage';
import { Page } from '../layout/page';
import { MemberTokens } from './member-tokens';
import { ServiceAccountList } from './service-account-list';

/** The service accounts of the workspace and the personal tokens of its members. */
export default function ApiKeysPage() {
  return (
    <Page title="API keys" text="How programs use this workspace.">
      <LimitNotice name="keys" />
      <ServiceAccountList />
      <MemberTokens />
    </Page>
  );
}
