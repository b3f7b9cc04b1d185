import type { z } from 'zod'
import { invalidRequest } from './power-bi-error.ts'

/** Limits that no valid body exceeds: nesting, and objects per list or fields per object. */
const DEEPEST = 12
const MAX_PARTS = 200

/**
 * Parses a body by its schema and drops undeclared fields.
 * @throws PowerBiError 400 with the first fault's path
 */
export const parseBody = <T>(schema: z.ZodType<T>, body: unknown): T => {
  checkSize(body, DEEPEST)
  const parsed = schema.safeParse(body ?? {})
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw invalidRequest(`${issue?.path.join('.') || 'body'}: ${issue?.message}`)
}

/** Checked first: zod collects every fault, which for a huge body blocks the event loop. */
const checkSize = (value: unknown, levels: number): void => {
  if (typeof value !== 'object' || value === null) return
  if (levels === 0) throw invalidRequest(`body: mais de ${DEEPEST} níveis, um dentro do outro`)
  const parts = Object.values(value)
  const isList = Array.isArray(value)
  const inner = parts.filter((part) => typeof part === 'object' && part !== null)
  if (inner.length > MAX_PARTS || (!isList && parts.length > MAX_PARTS))
    throw invalidRequest(`body: mais de ${MAX_PARTS} partes numa lista, ou campos num objeto`)
  for (const part of inner) checkSize(part, levels - 1)
}
