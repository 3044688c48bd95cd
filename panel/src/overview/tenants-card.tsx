import type { Schemas } from '@tenantry/client';
import { Box } from '@mui/material';
import { alpha, type Theme } from '@mui/material/styles';
import { Stat, Stats } from '../components/stats';
import { listAt, TextLink } from '../components/links';
import { Section } from '../components/section';
import { StatusChip } from '../components/status-chip';

/** Tenants by plan and status. */
export const TenantsCard = ({ counts }: { counts: readonly Schemas['TenantCountView'][] }) => {
  const total = sumOf(counts);
  return (
    <Section title="Tenants">
      <Stats>
        <Stat name="Total" value={total} to="/tenants" />
        <Stat
          name="Paid or trialing"
          value={sumOf(counts.filter(({ plan, status }) => plan !== 'Free' && ['Active', 'Trialing'].includes(status)))}
        />
        <Stat
          name="Past due"
          value={sumOf(counts.filter(({ status }) => status === 'PastDue'))}
          to={listAt('tenants', { status: 'PastDue' })}
          tone="warning"
        />
      </Stats>
      <Box component="table" sx={TABLE}>
        <Box
          component="caption"
          sx={{ position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' }}
        >
          Tenants by plan and status
        </Box>
        <tbody>
          {[...counts]
            .sort((one, other) => other.tenants - one.tenants)
            .map(({ plan, status, tenants }) => (
              <tr key={plan + status}>
                <Box component="th" scope="row" sx={{ width: 72 }}>
                  {plan}
                </Box>
                <Box component="td" sx={{ width: 84 }}>
                  <StatusChip state={status} />
                </Box>
                <Box component="td" aria-hidden>
                  <Box
                    sx={{
                      height: 8,
                      borderRadius: 1,
                      backgroundColor: ({ palette }: Theme) => alpha(palette.primary.main, 0.12),
                    }}
                  >
                    <Box
                      sx={{
                        height: 8,
                        borderRadius: 1,
                        backgroundColor: 'primary.main',
                        width: `${(100 * tenants) / total}%`,
                      }}
                    />
                  </Box>
                </Box>
                <Box component="td" sx={{ width: 64, textAlign: 'right' }}>
                  <TextLink to={listAt('tenants', { plan, status })}>{tenants.toLocaleString()}</TextLink>
                </Box>
              </tr>
            ))}
        </tbody>
      </Box>
    </Section>
  );
};

const sumOf = (counts: readonly Schemas['TenantCountView'][]) => counts.reduce((sum, { tenants }) => sum + tenants, 0);

const TABLE = {
  width: '100%',
  borderCollapse: 'collapse',
  fontSize: '0.8125rem',
  '& th': { textAlign: 'left', fontWeight: 500 },
  '& td, & th': { p: 0, py: 0.5, pr: 1 },
};
