import { Alert, Button } from '@mui/material';
import { Link } from 'react-router';
import { useHasPermission } from '../session';
import { useWorkspacePath } from '../workspace-path';
import { type Entitlement, useEntitlement } from './entitlements';
import { usePlans } from './plan-prices';

interface FeatureNoticeProps {
  readonly name: Entitlement['name'];
  /** What the feature is, as a plural at the beginning of a sentence. */
  readonly nouns: string;
}

/** On a page of a feature that the plan does not include: which plan has it, and how to get it. */
export function FeatureNotice({ name, nouns }: FeatureNoticeProps) {
  const canPay = useHasPermission()('tenant.billing.manage');
  const path = useWorkspacePath();
  const entitlement = useEntitlement(name);
  const plans = usePlans().data ?? [];
  if (entitlement?.isIncluded !== false) return null;
  const plan = plans.find(({ entitlements }) => entitlements.some((one) => one.name === name && one.value === true));
  const where = plan ? `${nouns} are part of ${plan.name}.` : `${nouns} are not part of your plan.`;
  const see = (
    <Button component={Link} to={path('/billing')} color="inherit" size="small" sx={{ whiteSpace: 'nowrap' }}>
      See plans
    </Button>
  );
  return (
    <Alert severity="info" action={canPay && plan ? see : undefined}>
      {where} {canPay ? 'Upgrade to use them.' : 'Ask the workspace owner to upgrade.'}
    </Alert>
  );
}
