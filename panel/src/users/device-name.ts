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
 * What a User-Agent header most likely means; the first that fits, since each also names those it
 * descends from.
 */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown';
  const browser = BROWSERS.find(([sign]) => userAgent.includes(sign))?.[1];
  const system = SYSTEMS.find(([sign]) => userAgent.includes(sign))?.[1];
  const program = browser ?? (userAgent.startsWith('Mozilla/') ? 'Another program' : userAgent.split(/[ /]/)[0]);
  return system ? `${program} on ${system}` : program;
}
