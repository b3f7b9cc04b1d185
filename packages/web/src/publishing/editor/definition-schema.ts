import schemaFile from '../../../../../docs/schema/report.schema.json'
import type { Schema } from './schema-at.ts'

/** The schema of a report's definition; TypeScript infers a different type for each field. */
export const definitionSchema = schemaFile as unknown as Schema
