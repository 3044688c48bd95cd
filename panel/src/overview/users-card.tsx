import type { Schemas } from '@tenantry/client';
import { Chart, ChartSkeleton } from '../charts/chart';
import { utcDay } from '../charts/time-format';
import { listAt } from '../components/links';
import { Section } from '../components/section';
import { Stat, Stats } from '../components/stats';

interface UsersCardProps {
  readonly counts: Schemas['UserCountsView'];
  readonly registrations?: readonly Schemas['RegistrationsView'][];
}

/** Users by status, and how many registered on each day. */
export const UsersCard = ({ counts, registrations }: UsersCardProps) => {
  const recent = registrations?.reduce((sum, { users }) => sum + users, 0);
  return (
    <Section title="Users">
      <Stats>
        <Stat name="Total" value={counts.total} to="/users" />
        <Stat name="Unverified" value={counts.unverified} to={listAt('users', { state: 'unverified' })} />
        <Stat name="Disabled" value={counts.disabled} to={listAt('users', { state: 'disabled' })} />
        <Stat name="New in 30 days" value={recent ?? '–'} />
      </Stats>
      {registrations ? (
        <Chart
          label={`Registrations per day: ${recent} in 30 days`}
          empty="No registrations in the last 30 days"
          kind="bars"
          times={registrations.map(({ day }) => new Date(day))}
          tick={utcDay}
          full={utcDay}
          series={[{ name: 'Registrations', tone: 'primary', values: registrations.map(({ users }) => users) }]}
        />
      ) : (
        <ChartSkeleton />
      )}
    </Section>
  );
};
