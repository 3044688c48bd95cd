import { Typography } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { api } from '../api';
import { ConfirmDialog } from '../components/confirm-dialog';
import { Field, FieldList } from '../components/field-list';
import { Section } from '../components/section';
import { Timestamp } from '../components/timestamp';
import { useAction } from '../components/use-action';
import { signInMethodOf } from '../users/sign-in-method';

type Tenant = Schemas['AdminTenantDetailView'];
type Policy = Schemas['SignInPolicyView'];

/** What a tenant requires of the sessions and personal tokens of its members. */
export const SignInPolicySection = ({ tenant }: { tenant: Tenant }) => {
  const { secondFactorFrom, maxSessionHours, allowedMethods, maxTokenDays } = tenant.signInPolicy;
  const hasRules = [secondFactorFrom, maxSessionHours, allowedMethods, maxTokenDays].some((rule) => rule !== null);
  return (
    <Section title="Sign-in policy" aside={hasRules && <RemovePolicy tenant={tenant} />}>
      {hasRules ? (
        <Rules policy={tenant.signInPolicy} />
      ) : (
        <Typography variant="body2" color="textSecondary">
          Members may sign in by any method.
        </Typography>
      )}
    </Section>
  );
};

const Rules = ({ policy }: { policy: Policy }) => (
  <FieldList>
    <Field name="Second factor from">
      {policy.secondFactorFrom && <Timestamp at={policy.secondFactorFrom} full />}
    </Field>
    <Field name="Sign-in methods">{policy.allowedMethods?.map((method) => signInMethodOf(method)).join(', ')}</Field>
    <Field name="Longest session">{policy.maxSessionHours && `${policy.maxSessionHours} h`}</Field>
    <Field name="Personal tokens">{policy.maxTokenDays !== null && tokenRuleOf(policy.maxTokenDays)}</Field>
    <Field name="Set">
      <Timestamp at={policy.updatedAt} full />
    </Field>
  </FieldList>
);

const tokenRuleOf = (days: number) => (days === 0 ? 'Not allowed' : `At most ${days} d`);

/** For a tenant whose policy no member can meet any more. */
const RemovePolicy = ({ tenant: { id, name } }: { tenant: Tenant }) => {
  const { act, isBusy } = useAction();
  return (
    <ConfirmDialog
      label="Remove policy"
      color="error"
      variant="text"
      loading={isBusy}
      title={`Remove the sign-in policy of ${name}?`}
      confirm="Remove policy"
      onConfirm={(fail) =>
        act(
          () => api.DELETE('/admin/tenants/{id}/sign-in-policy', { params: { path: { id } } }),
          () => `The sign-in policy of ${name} is removed.`,
          { fail },
        )
      }
    >
      Members can then sign in without a second factor, by any method. Do this only if no member can meet the policy,
      and after you have checked who is asking.
    </ConfirmDialog>
  );
};
