import { Box } from '@mui/material';
import { encode } from 'uqr';

/** White around the code, in modules; scanners need it (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A QR code, drawn in the page. In dark mode, too, it is black on white, as scanners expect. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: QUIET_ZONE });
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      sx={{ width: 208, height: 208, bgcolor: 'common.white', borderRadius: 1, border: 1, borderColor: 'divider' }}
    >
      <path d={pathOf(data)} fill="#000" />
    </Box>
  );
}

/** Each row of dark modules as rectangles. */
const pathOf = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
