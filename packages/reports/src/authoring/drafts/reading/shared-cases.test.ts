import { readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { beginDrafts } from '../../../../test/draft-calls.ts'
import { serviceWith } from '../../../../test/fixture.ts'
import { areCasesThere, caseAnswers, caseRefusals, casesFolder } from '../../../../test/shared-cases.ts'

const readCase = async (name: string) => {
  const { call, draft } = await beginDrafts(await serviceWith())
  return call(`${await draft(readFileSync(casesFolder + name), name)}/read`, { reportName: 'Caso' })
}

describe.skipIf(!areCasesThere)('files of public bug reports', () => {
  test.each(Object.entries(caseAnswers))(
    'a draft reads %s',
    async (name, { columns, first, rows, remarks }) => {
      const read = await readCase(name)
      expect(read.faults).toEqual([])
      expect(
        read.columns.map(({ label, type, shownAs }: Record<string, string>) =>
          [label, type, shownAs].filter(Boolean).join(' '),
        ),
      ).toEqual(columns)
      if (first) expect(read.preview[0]).toEqual(first)
      if (rows) expect(read.rows).toBe(rows)
      if (remarks) expect(read.remarks.join('\n')).toMatch(remarks)
      else expect(read.remarks).toEqual([])
    },
  )

  test('a draft reads midnights, mixed numbers and texts without another value', async () => {
    expect((await readCase('53-iso-strict.xlsx')).preview[1][0]).toBe('2026-03-06')
    expect((await readCase('44-data-e-hora.xlsx')).preview[1].slice(0, 2)).toEqual(
      Array(2).fill('2026-03-06 08:00:00'),
    )
    expect((await readCase('49-numeros-como-texto.xlsx')).preview).toEqual([
      ['Alfa', '1234.0', '1234.56'],
      ['Beta', '12500.0', '980.1'],
      ['Gama', '9870.0', '75.0'],
    ])
    const mixed = await readCase('50-numero-e-texto-misturados.xlsx')
    expect(mixed.preview.map(([, value]: string[]) => value)).toEqual(['1234.5', '1234.0', '980.1', '12.0'])
  })

  test('a draft keeps all digits of the integers and decimals of a Parquet file', async () => {
    const { preview } = await readCase('80-tipos.parquet')
    expect(preview.map((row: string[]) => row.slice(1, 4))).toEqual(
      [0, 1, 2, 3, 4].map((index) => [
        `${1234567890123 + index}.45`,
        '12345678901234567890.12',
        `1844674407370955161${index}`,
      ]),
    )
  })

  test('a draft averages rates in the proposal, and shows reais', async () => {
    const { report } = await readCase('51-percentual-e-moeda.xlsx')
    const queries = report.pages[0].visuals.flatMap(({ query }: { query?: string }) => query ?? [])
    const average = 'SELECT avg(Taxa) AS Taxa, count(Taxa) AS linhas_lidas FROM c_51_percentual_e_moeda'
    expect(queries).toEqual(expect.arrayContaining([average]))
    expect(queries.join()).not.toContain('sum(Taxa)')
  })

  test.each(Object.entries(caseRefusals))('a draft refuses %s with the way out', async (name, sentence) => {
    const { faults } = await readCase(name)
    expect(faults).toEqual([expect.stringMatching(sentence)])
  })
})

test('the run says which cases were left out', ({ annotate }) => {
  if (areCasesThere) expect(statSync(casesFolder).isDirectory()).toBe(true)
  else
    annotate(
      `${Object.keys({ ...caseAnswers, ...caseRefusals }).length} files of ${casesFolder} are not there.`,
    )
})
