import { Box, Button } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { Chart } from '../charts/chart';
import { useAction } from '../components/use-action';
import { Stat, Stats } from '../components/stats';
import { Timestamp } from '../components/timestamp';
import { DataRows } from '../components/data-rows';
import { Columns, Section } from '../components/section';
import { api } from '../api';

type Run = Schemas['SyncRunView'];

interface SyncCardProps {
  readonly last: Run | null;
  /** Oldest first. */
  readonly runs?: readonly Run[];
}

const SHOWN = 6;
const TIME = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** The comparisons with the processor: how much was otherwise here, which is the drift. */
export const SyncCard = ({ last, runs }: SyncCardProps) => {
  const { act, isBusy } = useAction();
  const begin = () =>
    act(
      () => api.POST('/admin/sync'),
      () => 'The comparison has begun; it shows here when it is finished.',
    );
  const action = (
    <Button variant="outlined" loading={isBusy} onClick={() => void begin()}>
      Sync everything now
    </Button>
  );
  return (
    <Section title="Subscription sync" aside={action}>
      <Columns>
        <div>
          <Stats>
            <Stat name="Seen" value={last?.seen ?? '–'} />
            <Stat name="Corrected (drift)" value={last?.corrected ?? '–'} tone="warning" />
            <Stat name="Unknown" value={last?.unknown ?? '–'} tone="warning" />
          </Stats>
          <Chart
            label={`Drift of the last ${runs?.length ?? 0} comparisons`}
            kind="bars"
            times={runs?.map(({ finishedAt }) => new Date(finishedAt)) ?? []}
            tick={(at) => TIME.format(at)}
            series={[
              { name: 'Corrected', tone: 'warning', values: runs?.map(({ corrected }) => corrected) ?? [] },
              { name: 'Unknown', tone: 'info', values: runs?.map(({ unknown }) => unknown) ?? [] },
            ]}
          />
        </div>
        <Box sx={{ mr: -2, ml: { xs: -2, md: 0 } }}>
          <DataRows
            rows={runs?.slice(-SHOWN).reverse()}
            keyOf={({ startedAt }) => startedAt}
            empty="No comparison has been finished yet. One runs every two hours."
            numbers={['Took', 'Seen', 'Corrected', 'Unknown']}
            columns={{
              Finished: ({ finishedAt }) => <Timestamp at={finishedAt} />,
              Took: ({ startedAt, finishedAt }) =>
                `${((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000).toFixed(1)} s`,
              Seen: ({ seen }) => seen.toLocaleString(),
              Corrected: ({ corrected }) => corrected.toLocaleString(),
              Unknown: ({ unknown }) => unknown.toLocaleString(),
            }}
          />
        </Box>
      </Columns>
    </Section>
  );
};
