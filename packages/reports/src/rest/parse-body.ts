import type { z } from 'zod'
import { invalidRequest } from './power-bi-error.ts'

/** The body in its declared form; what is not declared is dropped. Throws 400 with the place of the first fault. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body ?? {})
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw invalidRequest(`${issue?.path.join('.') || 'body'}: ${issue?.message}`)
}
