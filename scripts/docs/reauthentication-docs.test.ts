import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reauthenticationTable } from './reauthentication-table.ts'

/* The table is written with `npx vitest run scripts/docs/reauthentication-docs -u`. */

const path = join(import.meta.dirname, '../../docs/security.md')
const [begin, end] = ['<!-- gerado do contrato -->', '<!-- fim do gerado -->']

test('docs/security.md has the table of calls that need a recent proof, as the contract says', async () => {
  const page = readFileSync(path, 'utf8')
  const [before = '', after = ''] = [page.split(begin)[0], page.split(end)[1]]
  expect(page.split(begin)).toHaveLength(2)
  expect(page.split(end)).toHaveLength(2)
  const generated = `${before}${begin}\n${reauthenticationTable()}\n${end}${after}`
  await expect(generated).toMatchFileSnapshot(path)
})
