import { z } from 'zod'

// The pages' CSP forbids eval, which zod would try. Servers keep compiled schemas.
if ('document' in globalThis) z.config({ jitless: true })
