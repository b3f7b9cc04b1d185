import { z } from 'zod'

// The pages' policy forbids eval: zod would try it once and be reported. Servers keep the faster, compiled schemas.
if ('document' in globalThis) z.config({ jitless: true })
