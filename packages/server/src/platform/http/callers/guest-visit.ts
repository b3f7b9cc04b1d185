/** The open visit behind a request. A guest is no user, and has no `Caller`. */
export interface GuestVisit {
  idConvidado: number
  emailConvidado: string
  idRelatorio: number
  nomeRelatorio: string
  /** The digest of its credential. */
  marca: string
  expiraEm: Date
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on the routes of guests. */
    guest: GuestVisit | undefined
  }
}
