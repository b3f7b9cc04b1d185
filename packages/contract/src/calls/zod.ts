import { z } from 'zod'

// In browsers only: zod compiles schemas with eval, which the CSP of the pages forbids.
if ('document' in globalThis) z.config({ jitless: true })

/** To be imported instead of the library's own: its configuration is read by each new schema. */
export { z }
