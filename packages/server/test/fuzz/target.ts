import type { GoodCall } from '../calls/good-call.ts'
import type { Schema } from './from-schema.ts'

export interface Parameter {
  in: 'path' | 'query'
  name: string
  schema: Schema
}

/** An operation of the OpenAPI description. */
export interface Operation {
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** An operation to call. */
export interface Target {
  method: string
  /** As in the description: `/api/usuarios/{id}`. */
  path: string
  operation: Operation
  /** Calls known to work, as a starting point. */
  good: GoodCall[]
  resolve: (ref: string) => Schema
}
