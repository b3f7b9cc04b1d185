/**
 * Returns the headers of every answer. Only the embed page sets a looser policy; no other answer
 * may load content or be framed.
 */
export const securityHeaders = (reportsUrl: string): Record<string, string> => {
  return {
    'content-security-policy':
      "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(reportsUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}
