/** The names that browsers send. Those that also send another one's name come first. */
const BROWSERS = ['Edg', 'Firefox', 'Chrome', 'Safari'];
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'];

/** "Firefox on Linux": enough to recognize one's own devices. */
export function deviceName(userAgent: string | null): string {
  const sent = userAgent ?? '';
  const browser = BROWSERS.find((name) => sent.includes(name))?.replace('Edg', 'Edge') ?? 'Unknown client';
  const system = SYSTEMS.find((name) => sent.includes(name));
  return system ? `${browser} on ${system}` : browser;
}
