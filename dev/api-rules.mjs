// Where the API document differs from Spectral's OWASP rules, and why. A rule of severity "error"
// that is not here must hold (`npm run api:tools`).

/** Places in the document, as paths, with the rule that does not apply to them. */
export const EXCEPTIONS = [
  {
    rule: 'owasp:api2:2023-jwt-best-practices',
    at: /^components\/securitySchemes\/apiKey\//,
    reason: 'API keys are random texts, not JWTs.',
  },
  {
    rule: 'owasp:api2:2023-no-credentials-in-url',
    at: /^components\/parameters\/token\//,
    reason: 'Links in emails have a token that works once and soon expires; MAIL_LINKS=confirm keeps it from programs.',
  },
  {
    rule: 'owasp:api2:2023-write-restricted',
    at: /^paths/,
    reason: 'Sign-in, registration and signed webhooks are public. The service does not start without declared access.',
  },
  {
    rule: 'owasp:api4:2023-rate-limit',
    at: /^paths|^components\/responses/,
    reason: 'The introduction describes the RateLimit headers once: every response has them while limits are on.',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    at: /\/content\/(text|image)\/[^/]+\/schema$/,
    reason: 'Files and streams are bounded in bytes, rows and time, not in characters.',
  },
  {
    rule: 'owasp:api8:2023-define-cors-origin',
    at: /^(paths|components)\//,
    reason: 'The origin that may read responses is a setting (FRONTEND_URL), not a part of an operation.',
  },
  {
    rule: 'owasp:api8:2023-no-server-http',
    at: /^servers\//,
    reason: 'The committed document names local mode. A service names its own BASE_URL.',
  },
];

/** What to do about a violation, by the end of the rule's name. */
export const HINTS = {
  'string-limit': 'Give the property a maxLength in its ApiProperty, or a field decorator with a length.',
  'array-limit': 'Give the property maxItems in its ApiProperty, or ArrayMaxSize.',
  'integer-limit': 'Give the property minimum and maximum in its ApiProperty, or use IntegerField.',
  'integer-format':
    'Give the property minimum and maximum, from which src/http/openapi/openapi-bounds.ts takes the format.',
};
