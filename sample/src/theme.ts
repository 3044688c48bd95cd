import { createTheme } from '@mui/material/styles';

/**
 * Light or dark as the system prefers, by CSS alone; the fonts are the system's: nothing is loaded
 * from elsewhere.
 */
export const theme = createTheme({
  cssVariables: true,
  colorSchemes: {
    light: {
      palette: {
        primary: { main: '#3f4bd1' },
        info: { main: '#0b64a0' },
        success: { main: '#1f7a3f' },
        warning: { main: '#a34a00' },
        error: { main: '#c4282d' },
        background: { default: '#f6f7fb', paper: '#ffffff' },
        text: { primary: '#1a1d2b', secondary: '#585e73' },
        divider: '#e3e5ee',
      },
    },
    dark: {
      palette: {
        primary: { main: '#a5b0ff' },
        info: { main: '#7cc4ff' },
        success: { main: '#7bd88f' },
        warning: { main: '#ffb95e', dark: '#8a4f00' },
        error: { main: '#ff8f8a' },
        background: { default: '#0f111a', paper: '#181b27' },
        text: { primary: '#eceef7', secondary: '#a4aac0' },
        divider: '#2b3042',
      },
    },
  },
  shape: { borderRadius: 10 },
  typography: {
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
    h1: { fontSize: '1.625rem', fontWeight: 700, letterSpacing: '-0.015em' },
    h2: { fontSize: '1.0625rem', fontWeight: 650 },
    button: { textTransform: 'none', fontWeight: 600 },
  },
  components: {
    MuiButton: {
      defaultProps: { disableElevation: true },
      styleOverrides: {
        outlined: ({ ownerState, theme: { vars } }) =>
          ownerState.color === 'inherit' && !('severity' in ownerState) ? { borderColor: vars?.palette.divider } : {},
      },
    },
    MuiPaper: { defaultProps: { elevation: 0 } },
    MuiTooltip: { defaultProps: { describeChild: true, arrow: true } },
    MuiAlert: {
      styleOverrides: { root: { alignItems: 'center' }, message: { flexGrow: 1, overflowWrap: 'anywhere' } },
    },
    MuiDialog: { styleOverrides: { paper: { backgroundImage: 'none' } } },
    MuiDialogTitle: { styleOverrides: { root: { fontWeight: 650 } } },
  },
});
