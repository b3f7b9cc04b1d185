import { ownValue } from '@bi-manager/contract'
import type { JSONPath } from 'jsonc-parser'

/** The parts of JSON Schema that the definition's schema uses. */
export interface Schema {
  description?: string
  type?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

/** Returns the schemas that a value at this path may have; several where there are alternatives. */
export const schemasAt = (root: Schema, path: JSONPath): Schema[] =>
  path.reduce<Schema[]>((schemas, step) => schemas.flatMap((schema) => inside(schema, step)), variants(root))

const inside = ({ items, properties, additionalProperties }: Schema, step: string | number): Schema[] => {
  if (typeof step === 'number') return items ? variants(items) : []
  const field = ownValue(properties, step)
  if (field) return variants(field)
  return typeof additionalProperties === 'object' ? variants(additionalProperties) : []
}

/** Alternatives have no description of their own. */
const variants = (schema: Schema): Schema[] => {
  const inner = schema.anyOf ?? schema.oneOf
  if (!inner) return [schema]
  const { description } = schema
  return inner.flatMap((one) => variants({ ...(description === undefined ? {} : { description }), ...one }))
}

/** Returns the values that the schema names one by one. */
export const valuesOf = (schema: Schema): unknown[] => {
  if (schema.enum) return schema.enum
  if (schema.const !== undefined) return [schema.const]
  return schema.type === 'boolean' ? [true, false] : []
}
