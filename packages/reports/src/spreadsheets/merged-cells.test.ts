import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type TestCell, workbookOf } from '../../test/workbooks.ts'
import { readSheet } from './read-sheet.ts'

const LONG = { timeout: 120_000 }

async function read(rows: TestCell[][], merged: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'mescladas-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [file, csv] = [join(folder, 'enviado.xlsx'), join(folder, 'lido.csv')]
  await writeFile(file, workbookOf({ sheets: [{ rows, merged }] }))
  const answer = await readSheet({ file, csv, order: {} })
  const lines = (await readFile(csv, 'utf8')).trimEnd().split('\n')
  return { lines, notices: 'sheet' in answer ? answer.sheet.notices : [] }
}

test('texts of cells that are merged over several rows are repeated', LONG, async () => {
  const rows: TestCell[][] = [
    ['Região', 'Valor'],
    ['Norte', 10],
    [null, 20],
    [null, 30],
    ['Sul', 5],
    [null, 7],
    ['Leste', 1],
  ]
  const { lines, notices } = await read(rows, ['A2:A4', 'A5:A6'])
  expect(lines).toEqual(['Região;Valor', 'Norte;10', 'Norte;20', 'Norte;30', 'Sul;5', 'Sul;7', 'Leste;1'])
  expect(notices).toEqual(['na coluna Região, o valor de células mescladas foi repetido nas outras 3 linhas'])
})

test('amounts are not, since sums would count them again, nor cells merged over columns', LONG, async () => {
  const rows: TestCell[][] = [
    ['Região', 'Valor', 'Meta'],
    ['Norte', 10, 90],
    ['Sul', 20, null],
    ['Total', null, 90],
  ]
  const { lines, notices } = await read(rows, ['C2:C3', 'A4:B4'])
  expect(lines).toEqual(['Região;Valor;Meta', 'Norte;10;90', 'Sul;20;', 'Total;;90'])
  expect(notices).toEqual([
    'as células mescladas C2:C3 e A4:B4 têm o valor só na primeira: as outras ficaram vazias',
  ])
})

test('rows without any value of their own are made up by none', LONG, async () => {
  const rows: TestCell[][] = [
    ['Região', 'Valor'],
    ['Norte', 10],
    [null, null],
    ['Sul', 20],
  ]
  expect((await read(rows, ['A2:A3', 'A1:B1'])).lines).toEqual(['Região;Valor', 'Norte;10', 'Sul;20'])
})
