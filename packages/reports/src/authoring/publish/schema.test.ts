import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { claimsDataset, claimsReport } from '../../../test/fixture.ts'
import { visualTypes } from '../../definitions/visual-types.ts'
import { SCHEMA_DIR, schemaFiles } from './schema.ts'

const schemas = schemaFiles()
const validate = (name: string) => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  return ajv.compile(JSON.parse(schemas[name] ?? '{}'))
}

test.each(Object.keys(schemas))(
  'the committed %s is up to date (npm run reports -- schema)',
  async (name) => {
    expect(await readFile(join(SCHEMA_DIR, name), 'utf8')).toBe(schemas[name])
  },
)

test("the author's guide describes every type of visual", async () => {
  const guide = await readFile(join(SCHEMA_DIR, '../relatorios.md'), 'utf8')
  const [, types = ''] = /\n\| tipo +\|[^\n]*\n(.*?)\n\n/s.exec(guide) ?? []
  const described = types.split('\n').flatMap((row) => row.split('|')[1]?.match(/\w+/g) ?? [])
  expect(described.toSorted()).toEqual(Object.keys(visualTypes).toSorted())
})

test('the JSON Schemas accept what the service accepts, with $schema', () => {
  const $schema = '../../docs/schema/report.schema.json'
  expect(validate('report.schema.json')({ $schema, ...claimsReport })).toBe(true)
  expect(validate('dataset.schema.json')({ $schema, ...claimsDataset })).toBe(true)
  expect(validate('workspace.schema.json')({ id: claimsReport.id, name: 'x' })).toBe(true)
})

test('the JSON Schemas reject what the service refuses', () => {
  expect(validate('report.schema.json')({ ...claimsReport, paginas: [] })).toBe(false)
  expect(validate('report.schema.json')({ ...claimsReport, pages: [] })).toBe(false)
  expect(validate('dataset.schema.json')({ ...claimsDataset, tables: { T: { file: '../x.csv' } } })).toBe(
    false,
  )
})

test('every field has a Portuguese description', () => {
  const report = JSON.parse(schemas['report.schema.json'] ?? '{}')
  const visual = report.properties.pages.items.properties.visuals.items.properties
  expect(visual.layout.properties.x.description).toBe('Distância da esquerda.')
  expect(visual.drill.properties.values.description).toContain('medida')
  expect(report.properties.values.description).toContain('valor → nome e cor')
})
