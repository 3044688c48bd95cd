import { useClaims } from '../session';
import { AuthLayout } from './auth-layout';
import { ButtonLink } from './button-link';

/** Shown to signed-in users who open a used link, which has already done what it is for. */
export function AlreadySignedIn({ title, text }: { title: string; text: string }) {
  const email = useClaims()?.email;
  return (
    <AuthLayout title={title} text={`${text} You’re signed in as ${email}.`}>
      <ButtonLink to="/">Continue</ButtonLink>
    </AuthLayout>
  );
}
