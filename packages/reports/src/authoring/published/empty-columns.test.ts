import { expect, test } from 'vitest'
import { beginReplacing, publishFile } from '../../../test/replacing.ts'

/* Each column of a new file keeps its type, or becomes wider: an empty one decides nothing for the others. */

const LONG = { timeout: 400_000 }
const file = (...lines: string[]) => ['Unidade;Dia;Fim;Qtd', ...lines].join('\n')

const begin = async () => {
  const begun = await beginReplacing()
  const { reportId } = await publishFile(
    begun,
    file('A;05/03/2026;06/03/2026;1', 'B;06/03/2026;07/03/2026;2'),
  )
  return async (...lines: string[]) =>
    (await begun.replace(reportId, await begun.draft(file(...lines)), 'Custos', '/check')).json()
}
const typesOf = ({ columns }: { columns: { name: string; type: string }[] }) =>
  columns.map(({ name, type }) => `${name} ${type}`)

test('a replacement widens dates while other columns are empty', LONG, async () => {
  const check = await begin()
  const read = await check('A;05/03/2026;;', 'B;05/03/2026 10:00;-;')
  expect(read).toMatchObject({ faults: [], changes: ['a coluna Dia era data e agora é data e hora'] })
  expect(typesOf(read)).toEqual(['Unidade text', 'Dia timestamp', 'Fim date', 'Qtd integer'])
})

test('a replacement refuses only the column whose values do not fit', LONG, async () => {
  const check = await begin()
  expect((await check('A;05/03/2026;;1', 'B;05/03/2026 10:00;;01310')).faults).toEqual([
    'novo.csv: linha 3: coluna Qtd: "01310" não é um número',
  ])
  expect((await check('A;05/03/2026;x;', 'B;05/03/2026 10:00;;')).faults).toEqual([
    'novo.csv: linha 2: coluna Fim: "x" não é uma data, nem uma data e hora',
  ])
})
