import DarkIcon from '@mui/icons-material/DarkModeOutlined';
import LightIcon from '@mui/icons-material/LightModeOutlined';
import { IconButton, Tooltip } from '@mui/material';
import { useTheme } from 'react-admin';

/** Switches between light and dark; until one is chosen, the system decides. */
export const ThemeToggle = () => {
  const [theme, setTheme] = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <Tooltip title={`Switch to ${other} mode`}>
      <IconButton color="inherit" aria-label={`Switch to ${other} mode`} onClick={() => setTheme(other)}>
        {theme === 'dark' ? <LightIcon /> : <DarkIcon />}
      </IconButton>
    </Tooltip>
  );
};
