import fc from 'fast-check'

/** The part of JSON Schema that the API's description uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

/** Generates values that a schema allows. `resolve` returns the schema of a `$ref`. */
export const fromSchema = (
  schema: Schema,
  resolve: (ref: string) => Schema,
  depth = 0,
): fc.Arbitrary<unknown> => {
  const inner = (part: Schema) => fromSchema(part, resolve, depth + 1)
  if (depth > 6) return fc.constant(null)
  if (schema.$ref) return inner(resolve(schema.$ref))
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return fc.oneof(...options.map(inner))
  const [first] = schema.allOf ?? []
  if (first) return inner(first)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return textFrom(schema)
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? -5,
        max: Math.min(schema.maximum ?? 2_147_483_647, 2_147_483_647),
      })
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 5 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(inner(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      })
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, part]) => [name, inner(part)]),
        ),
        { requiredKeys: schema.required ?? [] },
      )
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}

const textFrom = ({ format, pattern, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> => {
  if (format === 'uuid') return fc.uuid()
  if (format === 'email') return fc.emailAddress()
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (format === 'date')
    return fc
      .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10))
  if (format === 'uri') return fc.webUrl()
  const free = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 60) })
  if (!pattern || /^\^\[\^/.test(pattern)) return free
  return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, maxLength))
}
