import { Box } from '@mui/material';
import { encode } from 'uqr';

/** White around the code, in modules; scanners need it (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A QR code. In dark mode, too, it is black on white, as scanners expect. */
const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { data, size } = encode(text, { border: QUIET_ZONE });
  const modules = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      sx={{ width: 208, height: 208, bgcolor: 'common.white', borderRadius: 1, border: 1, borderColor: 'divider' }}
    >
      <path d={modules.join('')} fill="#000" />
    </Box>
  );
};

export default QrCode;
