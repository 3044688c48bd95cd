/** The order matters: Edge and Opera also claim to be Chrome, and Chrome claims to be Safari. */
const BROWSERS = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

/** The order matters: Android also claims to be Linux, and an iPhone to be like Mac OS X. */
const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const;

/**
 * The kind of device, such as "Chrome on Windows". It never contains text of the header, because it
 * is used in emails.
 * @param userAgent the header; null if it was not sent
 */
export function deviceKind(userAgent: string | null): string {
  const [browser, system] = [BROWSERS, SYSTEMS].map(
    (kinds) => kinds.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1],
  );
  if (!browser && !system) return 'an unknown device';
  return `${browser ?? 'an unknown program'} on ${system ?? 'an unknown system'}`;
}
