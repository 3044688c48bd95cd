/** In this order: Edge and Opera call themselves Chrome too, and Chrome calls itself Safari. */
const BROWSERS = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

/** In this order: Android calls itself Linux, and an iPhone says that it is like Mac OS X. */
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
 * What kind of device a user agent names, such as "Chrome on Windows". Only words of ours: nothing
 * of the header itself reaches a mail.
 * @param userAgent null when none was sent
 */
export function deviceKind(userAgent: string | null): string {
  const [browser, system] = [BROWSERS, SYSTEMS].map(
    (kinds) => kinds.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1],
  );
  if (!browser && !system) return 'an unknown device';
  return `${browser ?? 'an unknown program'} on ${system ?? 'an unknown system'}`;
}
