import { Section } from '../layout/page';
import { PagedList } from '../list/paged-list';
import { usePagedQuery } from '../queries';
import { useMemberNames } from '../tenant/member-names';
import { api } from '../session';
import { KeyRow } from './key-row';
import { RevokeKeyButton } from './revoke-key-button';

/** The personal tokens that members have for the workspace. */
export function MemberTokens() {
  const nameOf = useMemberNames();
  const pages = usePagedQuery('member-tokens', (page) =>
    api.GET('/tenants/current/keys', { params: { query: { ...page, owner: 'member' } } }),
  );
  return (
    <Section
      title="Personal tokens of members"
      text="Members create them for their own scripts, under Your account. They end with the membership."
    >
      <PagedList pages={pages} empty="No personal tokens.">
        {(token) => (
          <KeyRow apiKey={token} about={(token.userId && nameOf(token.userId)) ?? 'A member'}>
            <RevokeKeyButton apiKey={token} />
          </KeyRow>
        )}
      </PagedList>
    </Section>
  );
}
