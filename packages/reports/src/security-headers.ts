/** Headers of every answer. The embed page sets looser policies of its own; nothing else may load or be framed. */
export function securityHeaders(reportsUrl: string): Record<string, string> {
  return {
    'content-security-policy':
      "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(reportsUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}
