import { createTheme, type CSSObject } from '@mui/material/styles';

/** The ring of a focused control; the same everywhere, for the keyboard only. */
const focusRing = (color = 'var(--mui-palette-primary-main)'): CSSObject => ({
  outline: `2px solid ${color}`,
  outlineOffset: 2,
});

/** Inside lists and menus, whose edges would cut the ring off. */
const innerFocusRing: CSSObject = { ...focusRing(), outlineOffset: -2 };

/**
 * Light or dark as the system prefers, by CSS alone. The fonts are the system's: nothing is loaded
 * from elsewhere.
 */
export const theme = createTheme({
  cssVariables: true,
  colorSchemes: {
    light: {
      palette: {
        primary: { main: '#2f5bea' },
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
        primary: { main: '#9db4ff' },
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
  shape: { borderRadius: 8 },
  typography: {
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
    h1: { fontSize: '1.625rem', fontWeight: 700, letterSpacing: '-0.015em', textWrap: 'balance' },
    h2: { fontSize: '1.0625rem', fontWeight: 650 },
    button: { textTransform: 'none', fontWeight: 600 },
  },
  components: {
    MuiCssBaseline: { styleOverrides: { 'a:focus-visible, span[tabindex]:focus-visible': focusRing() } },
    MuiButtonBase: {
      styleOverrides: { root: { '&.Mui-focusVisible': focusRing() } },
    },
    MuiButton: {
      defaultProps: { disableElevation: true, disableFocusRipple: true },
      styleOverrides: {
        // Without the color: after loading, the label would fade in over an empty button.
        root: { transition: 'background-color 0.15s, border-color 0.15s' },
        outlined: ({ ownerState, theme: { vars } }) =>
          ownerState.color === 'inherit' && !('severity' in ownerState) ? { borderColor: vars?.palette.divider } : {},
      },
    },
    MuiIconButton: { defaultProps: { disableFocusRipple: true } },
    MuiListItemButton: { styleOverrides: { root: { '&.Mui-focusVisible': innerFocusRing } } },
    MuiMenuItem: { styleOverrides: { root: { '&.Mui-focusVisible': innerFocusRing } } },
    MuiAvatar: {
      styleOverrides: {
        colorDefault: ({ theme: { vars } }) => ({
          backgroundColor: vars?.palette.primary.main,
          color: vars?.palette.primary.contrastText,
        }),
      },
    },
    MuiPaper: { defaultProps: { elevation: 0 } },
    MuiTooltip: { defaultProps: { describeChild: true, arrow: true } },
    MuiAlert: {
      styleOverrides: { root: { alignItems: 'center' }, message: { flexGrow: 1, overflowWrap: 'anywhere' } },
    },
    MuiDialog: { styleOverrides: { paper: { backgroundImage: 'none' } } },
    MuiDialogTitle: { styleOverrides: { root: { fontWeight: 650 } } },
    // The buttons end where the content above them ends.
    MuiDialogActions: { styleOverrides: { root: { padding: '8px 24px 20px' } } },
  },
});
