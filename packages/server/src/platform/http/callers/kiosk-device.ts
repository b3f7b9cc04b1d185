/** The connected screen behind a request. It is no person, and has no `Caller`. */
export interface KioskDevice {
  idTelao: number
  /** The digest of its credential. */
  marca: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on the routes of screens. */
    kiosk: KioskDevice | undefined
  }
}
