import { Box } from '@mui/material';
import { MONOSPACE } from '../form/code-fields';

/** Text as programs write it. What is too wide or too long is scrolled, also by the keyboard. */
export const CodeBlock = ({ label, text }: { label: string; text: string }) => (
  <Box component="pre" role="region" aria-label={label} tabIndex={0} sx={CODE}>
    {text}
  </Box>
);

const CODE = {
  m: 0,
  p: 1.5,
  boxSizing: 'border-box',
  maxWidth: '100%',
  maxHeight: 420,
  overflow: 'auto',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  bgcolor: 'background.default',
  fontFamily: MONOSPACE,
  fontSize: '0.8125rem',
  lineHeight: 1.55,
  '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: 2 },
};
