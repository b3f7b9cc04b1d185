type Kind =
  | 'invalid_request'
  | 'invalid_client'
  | 'unauthorized_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'invalid_resource'
  | 'invalid_tenant'
  | 'invalid_instance'
  | 'server_error'

/** An error of the token endpoint in Entra's format: clients read `error` and the AADSTS number. */
export class EntraError extends Error {
  readonly kind: Kind
  readonly aadsts: number

  constructor(kind: Kind, aadsts: number, description: string) {
    super(description)
    this.kind = kind
    this.aadsts = aadsts
  }

  static from(error: Error & { statusCode?: number }) {
    const isCallers = error.statusCode !== undefined && error.statusCode < 500
    return isCallers
      ? new EntraError('invalid_request', 900144, 'The request body is malformed.')
      : new EntraError('server_error', 90033, 'A transient error has occurred. Please try again.')
  }

  get status() {
    if (this.kind === 'invalid_client') return 401
    return this.kind === 'server_error' ? 500 : 400
  }

  body(nowMs: number, traceId: string) {
    const timestamp = `${new Date(nowMs).toISOString().slice(0, 19).replace('T', ' ')}Z`
    return {
      error: this.kind,
      error_description: `AADSTS${this.aadsts}: ${this.message} Trace ID: ${traceId} Correlation ID: ${traceId} Timestamp: ${timestamp}`,
      error_codes: [this.aadsts],
      timestamp,
      trace_id: traceId,
      correlation_id: traceId,
      error_uri: `https://login.microsoftonline.com/error?code=${this.aadsts}`,
    }
  }
}
