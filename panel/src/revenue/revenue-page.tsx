import { Alert, ToggleButton, ToggleButtonGroup, Typography } from '@mui/material';
import { useStore } from 'react-admin';
import { api } from '../api';
import { ErrorAlert } from '../components/error-alert';
import { Loading } from '../components/loading';
import { PageHeader } from '../components/page-header';
import { Columns, Section } from '../components/section';
import { CALM_MS, useApiQuery } from '../components/use-api-query';
import { ChurnCard } from './churn-card';
import { CurrencyCard } from './currency-card';
import { PastDueCard } from './past-due-card';
import { PlanTable } from './plan-table';
import { currenciesIn, sumOf, type Revenue } from './revenue-series';
import { TrialsCard } from './trials-card';

const PERIODS = [
  [30, '30 days'],
  [90, '90 days'],
  [366, 'Year'],
] as const;

/** The revenue of subscriptions over time. */
const RevenuePage = () => {
  const [days, setDays] = useStore<number>('revenue.days', 90);
  const { data, error, isPending, refetch } = useApiQuery(
    ['revenue', days],
    () => api.GET('/admin/revenue', { params: { query: { days } } }),
    2 * CALM_MS,
  );
  return (
    <>
      <PageHeader title="Revenue">
        <ToggleButtonGroup
          size="small"
          exclusive
          value={days}
          aria-label="Period"
          onChange={(_, chosen: number | null) => chosen && setDays(chosen)}
        >
          {PERIODS.map(([span, name]) => (
            <ToggleButton key={span} value={span} sx={{ py: 0.25, textTransform: 'none' }}>
              {name}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </PageHeader>
      {error && (
        <ErrorAlert
          error={error}
          onRetry={() => {
            void refetch();
          }}
        />
      )}
      {!error && isPending && <Loading />}
      {data && <RevenueCards revenue={data} />}
    </>
  );
};

const RevenueCards = ({ revenue }: { revenue: Revenue }) => {
  const currencies = currenciesIn(revenue);
  const unpriced = sumOf(revenue.today.lines, 'unpriced');
  if ([revenue.today, ...revenue.days].every(({ lines }) => lines.length === 0)) return <NothingYet />;
  return (
    <>
      {unpriced > 0 && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          Subscriptions with an unknown amount: {unpriced.toLocaleString()}. They are not included in the amounts.
        </Alert>
      )}
      <Columns width={440}>
        {currencies.map((currency) => (
          <CurrencyCard key={currency} revenue={revenue} currency={currency} />
        ))}
        <TrialsCard revenue={revenue} />
        <ChurnCard revenue={revenue} currencies={currencies} />
        <PastDueCard revenue={revenue} currencies={currencies} />
      </Columns>
      <PlanTable lines={revenue.today.lines} />
      <Typography variant="body2" sx={{ mt: 2, color: 'text.secondary' }}>
        Active and past due subscriptions per month, net of discounts, before tax unless prices include it. Paused
        subscriptions count as churn. Days are in UTC; days without a record appear as gaps.
      </Typography>
    </>
  );
};

const NothingYet = () => (
  <Section title="No subscriptions yet">
    <Typography variant="body2" sx={{ color: 'text.secondary' }}>
      Revenue appears here after the first trial or payment.
    </Typography>
  </Section>
);

export default RevenuePage;
