import type { Schemas } from '@tenantry/client';
import { Chart } from '../charts/chart';
import { Figure, Figures } from '../parts/figures';
import { listAt } from '../parts/links';
import { Section } from '../parts/section';

interface UsersPartProps {
  readonly counts: Schemas['UserCountsView'];
  readonly registrations?: readonly Schemas['RegistrationsView'][];
}

/** The service counts days of UTC. */
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Accounts, and how many were made each day. */
export const UsersPart = ({ counts, registrations = [] }: UsersPartProps) => {
  const recent = registrations.reduce((sum, { users }) => sum + users, 0);
  return (
    <Section title="Users">
      <Figures>
        <Figure name="Total" value={counts.total} to="/users" />
        <Figure name="Unverified" value={counts.unverified} to={listAt('users', { state: 'unverified' })} />
        <Figure name="Disabled" value={counts.disabled} to={listAt('users', { state: 'disabled' })} />
        <Figure name="New in 30 days" value={recent} />
      </Figures>
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
