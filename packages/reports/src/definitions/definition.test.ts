import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { DatasetDefinition, ReportDefinition, VisualDefinition } from './definition.ts'
import { Filter } from './wire-filters.ts'

test("the author's guide contains only valid examples", async () => {
  const guide = await readFile(new URL('../../../../docs/relatorios.md', import.meta.url), 'utf8')
  const examples = [...guide.matchAll(/^```json\n(\{.*?\})\n```$/gms)].map(([, text]) =>
    JSON.parse(text ?? ''),
  )
  const accepted = { dataset: 0, report: 0, visual: 0, filter: 0 }
  for (const example of examples) {
    if (example.tables) accepted.dataset += Number(DatasetDefinition.safeParse(example).success)
    else if (example.pages) accepted.report += Number(ReportDefinition.safeParse(example).success)
    else if (example.layout) accepted.visual += Number(VisualDefinition.safeParse(example).success)
    else if (example.target) accepted.filter += Number(Filter.safeParse(example).success)
  }
  expect(accepted).toEqual({ dataset: 1, report: 1, visual: 6, filter: 3 })
})
