import { alpha, createTheme, type Theme } from '@mui/material/styles';

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';

const LIGHT = {
  primary: '#2f5bea',
  background: { default: '#f5f6f8', paper: '#ffffff' },
  text: { primary: '#1a2027', secondary: '#545f6d' },
  divider: '#e0e4ea',
  success: '#1b6e37',
  warning: '#8a4b00',
  error: '#b3261e',
  info: '#1f5fa8',
};
const DARK: typeof LIGHT = {
  primary: '#9db4ff',
  background: { default: '#0f1319', paper: '#171c24' },
  text: { primary: '#e8ebf0', secondary: '#a3adba' },
  divider: '#2a313c',
  success: '#7ddb9b',
  warning: '#f2b866',
  error: '#ff9d94',
  info: '#8cc2ff',
};

/**
 * The theme: dense, one accent color, borders instead of shadows, the system font, tabular
 * numbers.
 */
function themeOf(mode: 'light' | 'dark', { primary, success, warning, error, info, ...palette }: typeof LIGHT): Theme {
  const onAccent = mode === 'light' ? '#ffffff' : '#10141b';
  const accent = (main: string) => ({ main, contrastText: onAccent });
  return createTheme({
    palette: {
      mode,
      ...palette,
      primary: accent(primary),
      secondary: accent(primary),
      success: accent(success),
      warning: accent(warning),
      error: accent(error),
      info: accent(info),
    },
    shape: { borderRadius: 8 },
    typography: {
      fontFamily: FONT,
      fontSize: 13,
      h1: { fontSize: '1.375rem', fontWeight: 650, letterSpacing: '-0.01em', lineHeight: 1.3 },
      h2: { fontSize: '0.9375rem', fontWeight: 600, lineHeight: 1.4 },
      button: { textTransform: 'none', fontWeight: 550 },
    },
    sidebar: { width: 224, closedWidth: 56 },
    components: {
      MuiCssBaseline: {
        styleOverrides: {
          body: { fontVariantNumeric: 'tabular-nums' },
          a: { color: primary },
          'a:focus-visible': { outline: `2px solid ${primary}`, outlineOffset: 2, borderRadius: 2 },
          '@media (prefers-reduced-motion: reduce)': {
            '*': { animation: 'none !important', transition: 'none !important' },
          },
        },
      },
      MuiAppBar: {
        defaultProps: { elevation: 0, color: 'inherit' },
        styleOverrides: {
          root: {
            backgroundColor: palette.background.paper,
            borderBottom: `1px solid ${palette.divider}`,
            backgroundImage: 'none',
          },
        },
      },
      MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
      MuiCard: { defaultProps: { variant: 'outlined' }, styleOverrides: { root: { borderColor: palette.divider } } },
      // The same focus ring on all controls.
      MuiButtonBase: {
        defaultProps: { disableRipple: true },
        styleOverrides: { root: { '&.Mui-focusVisible': { outline: `2px solid ${primary}`, outlineOffset: 2 } } },
      },
      MuiButton: { defaultProps: { size: 'small', disableElevation: true } },
      MuiTextField: { defaultProps: { size: 'small', variant: 'outlined', margin: 'none' } },
      MuiFormControl: { defaultProps: { size: 'small', variant: 'outlined', margin: 'none' } },
      MuiTable: { defaultProps: { size: 'small' } },
      MuiTableCell: {
        styleOverrides: {
          root: { borderColor: palette.divider, fontSize: '0.8125rem' },
          head: { color: palette.text.secondary, fontWeight: 550, fontSize: '0.75rem', whiteSpace: 'nowrap' },
        },
      },
      MuiAlert: { styleOverrides: { root: { border: `1px solid ${palette.divider}` } } },
      MuiTooltip: { defaultProps: { arrow: true } },
      // react-admin puts the label on the box around the checkbox, where screen readers ignore it.
      MuiCheckbox: {
        defaultProps: {
          size: 'small',
          slotProps: { root: { 'aria-label': undefined }, input: { 'aria-label': 'Select this row' } },
        },
      },
      MuiDialogTitle: {
        styleOverrides: { root: { padding: '20px 24px 12px', fontSize: '1.0625rem', fontWeight: 600 } },
      },
      // The buttons end where the fields above them end.
      MuiDialogActions: { styleOverrides: { root: { padding: '4px 24px 20px' } } },
      RaSidebar: { styleOverrides: { root: { flexShrink: 0 } } },
      RaLayout: { styleOverrides: { root: { minWidth: 0, '& .RaLayout-content': { padding: 0, minWidth: 0 } } } },
      RaDataTable: {
        styleOverrides: {
          root: {
            '& .RaDataTable-tableWrapper': { overflowX: 'auto' },
            '& .RaDataTable-headerCell': { backgroundColor: palette.background.paper },
            '& .RaDataTable-clickableRow:hover': { backgroundColor: alpha(primary, 0.06) },
          },
        },
      },
    },
  });
}

export const lightTheme = themeOf('light', LIGHT);
export const darkTheme = themeOf('dark', DARK);
