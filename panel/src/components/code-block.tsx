import Box from '@mui/material/Box';

/** Preformatted text: JSON, or an error with its stack. It can be scrolled by keyboard. */
export const CodeBlock = ({ label, children }: { label: string; children: object | string }) => (
  <Box
    component="pre"
    role="region"
    aria-label={label}
    tabIndex={0}
    sx={{
      m: 0,
      p: 1.5,
      maxHeight: 480,
      overflow: 'auto',
      fontSize: '0.75rem',
      lineHeight: 1.5,
      fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
      backgroundColor: 'background.default',
      borderRadius: 1,
      whiteSpace: 'pre-wrap',
      overflowWrap: 'anywhere',
    }}
  >
    {typeof children === 'string' ? children : JSON.stringify(children, null, 2)}
  </Box>
);
