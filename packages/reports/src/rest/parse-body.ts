import type { z } from 'zod'
import { invalidRequest } from './power-bi-error.ts'

/** No body of ours is as deep, nor lists as many of what is not a plain value. */
const DEEPEST = 12
const MOST_PARTS = 200

/** The body in its declared form; what is not declared is dropped. Throws 400 with the place of the first fault. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  checkSize(body, DEEPEST)
  const parsed = schema.safeParse(body ?? {})
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw invalidRequest(`${issue?.path.join('.') || 'body'}: ${issue?.message}`)
}

/** A schema tells each of ten thousand faults, and holds up everybody meanwhile; what it does not look into may have no end. */
function checkSize(value: unknown, levels: number): void {
  if (typeof value !== 'object' || value === null) return
  if (levels === 0) throw invalidRequest(`body: mais de ${DEEPEST} níveis, um dentro do outro`)
  const parts = Object.values(value)
  const isList = Array.isArray(value)
  const inner = parts.filter((part) => typeof part === 'object' && part !== null)
  if (inner.length > MOST_PARTS || (!isList && parts.length > MOST_PARTS))
    throw invalidRequest(`body: mais de ${MOST_PARTS} partes numa lista, ou campos num objeto`)
  for (const part of inner) checkSize(part, levels - 1)
}
