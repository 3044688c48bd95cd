const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/**
 * Browser and system of a User-Agent header, for display: "Chrome on macOS". Browsers also name
 * those that they are compatible with, so the first that matches counts.
 */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown';
  const browser = BROWSERS.find(([sign]) => userAgent.includes(sign))?.[1];
  const system = SYSTEMS.find(([sign]) => userAgent.includes(sign))?.[1];
  const program = browser ?? (userAgent.startsWith('Mozilla/') ? 'Unknown browser' : userAgent.split(/[ /]/)[0]);
  return system ? `${program} on ${system}` : program;
}
