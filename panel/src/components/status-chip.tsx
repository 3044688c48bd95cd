import { Chip } from '@mui/material';
import { alpha, type Theme } from '@mui/material/styles';
import { labelOf } from '../labels';

const TONES = {
  Active: 'success',
  Trialing: 'info',
  PastDue: 'warning',
  Paused: 'neutral',
  Canceled: 'neutral',
  Free: 'neutral',
  Pro: 'info',
  Business: 'primary',
  processed: 'success',
  ignored: 'neutral',
  failed: 'error',
  'needs-attention': 'warning',
  due: 'neutral',
  delivered: 'success',
  healthy: 'success',
  failing: 'warning',
  waiting: 'neutral',
  running: 'info',
  retrying: 'warning',
  dead: 'error',
  operator: 'primary',
  disabled: 'error',
  unverified: 'warning',
  override: 'warning',
  requested: 'warning',
  approved: 'info',
  done: 'success',
  canceled: 'neutral',
  stopped: 'neutral',
  expired: 'neutral',
} as const;

/** The states and plans that have a chip. */
export type State = keyof typeof TONES;

/** A state or plan, in the same color on all pages. */
export const StatusChip = ({ state, label = labelOf(state) }: { state: State; label?: string }) => (
  <Chip
    size="small"
    label={label}
    sx={({ palette }: Theme) => {
      const tone = TONES[state];
      const toneColor = tone === 'neutral' ? palette.text.secondary : palette[tone].main;
      return {
        height: 22,
        my: -0.25, // a row is not higher with a chip than without one
        fontSize: '0.75rem',
        fontWeight: 550,
        borderRadius: 1,
        color: toneColor,
        backgroundColor: alpha(toneColor, palette.mode === 'dark' ? 0.16 : 0.09),
      };
    }}
  />
);
