import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { DatasetDefinition, ReportDefinition, WorkspaceDefinition } from '../../definitions/definition.ts'
import { isRecord } from '../../definitions/is-record.ts'
import { schemaTexts } from './schema-texts.ts'

type Node = Record<string, unknown>
type Path = readonly string[]

export const SCHEMA_DIR = fileURLToPath(new URL('../../../../../docs/schema/', import.meta.url))

const definitions = {
  'dataset.schema.json': [DatasetDefinition, 'Conjunto de dados'],
  'workspace.schema.json': [WorkspaceDefinition, 'Workspace'],
  'report.schema.json': [ReportDefinition, 'Relatório'],
} as const

/** Returns the JSON Schemas of the three definition files: file name → text. */
export const schemaFiles = (): Record<string, string> => {
  return Object.fromEntries(
    Object.entries(definitions).map(([name, [definition, title]]) => {
      const schema = z.toJSONSchema(definition, { io: 'input', reused: 'inline' }) as Node
      const { $schema, ...rest } = describe(schema, []) as Node
      const properties = {
        $schema: { type: 'string', description: textOf(['$schema']) },
        ...(rest.properties as Node),
      }
      return [name, `${JSON.stringify({ $schema, title, ...rest, properties }, null, 2)}\n`]
    }),
  )
}

/** Writes the schemas where editors find them, and returns their paths. */
export const writeSchemas = async (dir = SCHEMA_DIR): Promise<string[]> => {
  await mkdir(dir, { recursive: true })
  const files = Object.entries(schemaFiles())
  for (const [name, text] of files) await writeFile(join(dir, name), text)
  return files.map(([name]) => join(dir, name))
}

/** Adds each field's description; alternatives and items use their field's. */
const describe = (value: unknown, path: Path): unknown => {
  if (Array.isArray(value)) return value.map((item) => describe(item, path))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key !== 'properties' || !isRecord(inner)) return [key, describe(inner, path)]
      const fields = Object.entries(inner).map(([name, field]) => {
        const own = [...path, name]
        return [name, { description: textOf(own), ...(describe(field, own) as Node) }]
      })
      return [key, Object.fromEntries(fields)]
    }),
  )
}

const textOf = (path: Path): string => {
  for (let from = 0; from < path.length; from++) {
    const text = schemaTexts[path.slice(from).join('.')]
    if (text) return text
  }
  throw new Error(`schemaTexts has no text for ${path.join('.')}`)
}
