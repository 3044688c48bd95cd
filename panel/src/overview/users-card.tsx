import type { Schemas } from '@tenantry/client';
import { Chart } from '../charts/chart';
import { Stat, Stats } from '../components/stats';
import { listAt } from '../components/links';
import { Section } from '../components/section';

interface UsersCardProps {
  readonly counts: Schemas['UserCountsView'];
  readonly registrations?: readonly Schemas['RegistrationsView'][];
}

/** The service counts days of UTC. */
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Accounts, and how many were made each day. */
export const UsersCard = ({ counts, registrations = [] }: UsersCardProps) => {
  const recent = registrations.reduce((sum, { users }) => sum + users, 0);
  return (
    <Section title="Users">
      <Stats>
        <Stat name="Total" value={counts.total} to="/users" />
        <Stat name="Unverified" value={counts.unverified} to={listAt('users', { state: 'unverified' })} />
        <Stat name="Disabled" value={counts.disabled} to={listAt('users', { state: 'disabled' })} />
        <Stat name="New in 30 days" value={recent} />
      </Stats>
      <Chart
        label={`Registrations per day: ${recent} in 30 days`}
        kind="bars"
        times={registrations.map(({ day }) => new Date(day))}
        tick={(day) => DAY.format(day)}
        series={[{ name: 'Registrations', tone: 'primary', values: registrations.map(({ users }) => users) }]}
      />
    </Section>
  );
};
