import { useClaims } from '../session';
import { AuthLayout } from '../sign-in/auth-layout';
import { ButtonLink } from '../sign-in/button-link';
import { PAGE_NOT_FOUND } from './not-found';
import { SignedIn } from './signed-in';

/** An address without a page: in the layout of signed-in users, or of visitors. */
export function UnknownAddress() {
  if (useClaims()) return <SignedIn />;
  const { title, text, to, label } = PAGE_NOT_FOUND;
  return (
    <AuthLayout title={title} text={text}>
      <ButtonLink to={to}>{label}</ButtonLink>
    </AuthLayout>
  );
}
