import { Alert, Box, Button } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { api } from '../api';
import { Chart, ChartSkeleton } from '../charts/chart';
import { dayAndClock } from '../charts/time-format';
import { DataRows } from '../components/data-rows';
import { Columns, Section } from '../components/section';
import { Stat, Stats } from '../components/stats';
import { Timestamp } from '../components/timestamp';
import { useAction } from '../components/use-action';
import { formatDuration } from '../duration-format';

type Run = Schemas['SyncRunView'];

interface SyncCardProps {
  readonly last: Run | null;
  /** Oldest first. */
  readonly runs?: readonly Run[];
}

/** Number of runs in the table. */
const SHOWN = 6;

/** The runs of the subscription sync: how many subscriptions differed from Stripe. */
export const SyncCard = ({ last, runs }: SyncCardProps) => {
  const { act, isBusy } = useAction();
  const syncAll = () =>
    act(
      () => api.POST('/admin/sync'),
      () => 'Sync started. The result will appear here.',
    );
  const aside = (
    <>
      {last && (
        <span>
          Last run <Timestamp at={last.finishedAt} />
        </span>
      )}
      <Button
        variant="outlined"
        loading={isBusy}
        onClick={() => {
          void syncAll();
        }}
      >
        Sync all
      </Button>
    </>
  );
  return (
    <Section title="Subscription sync" aside={aside}>
      <Columns>
        <div>
          <Stats>
            <Stat name="Checked" value={last?.seen ?? '–'} />
            <Stat name="Corrected" value={last?.corrected ?? '–'} tone="warning" />
            <Stat name="Unmatched" value={last?.unknown ?? '–'} tone="warning" />
          </Stats>
          {last && <UnknownPrices ids={last.unknownPrices} />}
          {runs ? <DriftChart runs={runs} /> : <ChartSkeleton />}
        </div>
        <Box sx={{ mr: -2, ml: { xs: -2, md: 0 } }}>
          <DataRows
            rows={runs?.slice(-SHOWN).reverse()}
            keyOf={({ startedAt }) => startedAt}
            empty="No sync has finished yet. One runs every two hours."
            numbers={['Duration', 'Checked', 'Corrected', 'Unmatched']}
            columns={{
              Finished: ({ finishedAt }) => <Timestamp at={finishedAt} />,
              Duration: ({ startedAt, finishedAt }) =>
                formatDuration((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000),
              Checked: ({ seen }) => seen.toLocaleString(),
              Corrected: ({ corrected }) => corrected.toLocaleString(),
              Unmatched: ({ unknown }) => unknown.toLocaleString(),
            }}
          />
        </Box>
      </Columns>
    </Section>
  );
};

/** Prices at Stripe that belong to no plan, which an operator has to give one. */
const UnknownPrices = ({ ids }: { ids: readonly string[] }) =>
  ids.length > 0 && (
    <Alert severity="warning" sx={{ mb: 1.5, overflowWrap: 'anywhere' }}>
      Prices that belong to no plan: {ids.join(', ')}
    </Alert>
  );

const DriftChart = ({ runs }: { runs: readonly Run[] }) => (
  <Chart
    label={`Subscriptions that differed from Stripe in the last ${runs.length} runs`}
    empty={
      runs.length === 0
        ? 'No runs yet'
        : `No differences in the last ${runs.length === 1 ? 'run' : `${runs.length} runs`}`
    }
    kind="bars"
    times={runs.map(({ finishedAt }) => new Date(finishedAt))}
    tick={dayAndClock}
    full={dayAndClock}
    series={[
      { name: 'Corrected', tone: 'warning', values: runs.map(({ corrected }) => corrected) },
      { name: 'Unmatched', tone: 'info', values: runs.map(({ unknown }) => unknown) },
    ]}
  />
);
