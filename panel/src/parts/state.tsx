import { Chip } from '@mui/material';
import { alpha, type Theme } from '@mui/material/styles';

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
  waiting: 'neutral',
  running: 'info',
  retrying: 'warning',
  dead: 'error',
  operator: 'primary',
  disabled: 'error',
  unverified: 'warning',
} as const;

/** What can be told by a chip: states of anything, and plans. */
export type State = keyof typeof TONES;

/** A state in words: `PastDue` is "Past due". */
export const wordOf = (state: string) => {
  const words = state.replace(/([a-z])([A-Z])|-/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A state, in the same colour wherever it occurs. */
export const StateChip = ({ state }: { state: State }) => (
  <Chip
    size="small"
    label={wordOf(state)}
    sx={({ palette }: Theme) => {
      const tone = TONES[state];
      const colour = tone === 'neutral' ? palette.text.secondary : palette[tone].main;
      return {
        height: 22,
        fontSize: '0.75rem',
        fontWeight: 550,
        borderRadius: 1,
        color: colour,
        backgroundColor: alpha(colour, palette.mode === 'dark' ? 0.16 : 0.09),
      };
    }}
  />
);
