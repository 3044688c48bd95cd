import { Alert } from '@mui/material';
import { Outlet } from 'react-router';
import { messageForCode } from '../messages';
import { type Permission, useHasPermission } from '../session';
import { Page, Section } from './page';

/** Pages for which a permission is needed. Without it, they only say so. */
export function PermissionRoute({ title, needs }: { title: string; needs: Permission }) {
  if (useHasPermission()(needs)) return <Outlet />;
  return (
    <Page title={title}>
      <Section>
        <Alert severity="error">{messageForCode('FORBIDDEN')}</Alert>
      </Section>
    </Page>
  );
}
