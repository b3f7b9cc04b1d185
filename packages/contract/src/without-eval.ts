import { z } from 'zod'

// The pages' CSP forbids eval; zod would try it once, and the
// browser would report it. Servers keep compiled schemas.
if ('document' in globalThis) z.config({ jitless: true })
