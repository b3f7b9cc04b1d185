import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PLAIN, PLAIN_REPORT, startService } from '../../../test/fixture.ts'
import { type Begun, publishFile, replacingCalls } from '../../../test/replacing.ts'
import { workbookOf } from '../../../test/workbooks.ts'

/* No sign in a file says that its numbers are in another unit than the published ones. */

/** Several publications, each of which checks the report on its data. */
const LONG = { timeout: 120_000 }
const csvOf = (numbers: string[], heading = 'Setor;Taxa') =>
  [heading, ...numbers.map((number, index) => `Setor ${index + 1};${number}`)].join('\n')
const SHARES = ['0,08', '0,12', '0', '0,095', '0,11']
const POINTS = ['8', '12,4', '0', '9,5', '11']

let begun: Begun
beforeAll(async () => {
  const service = await startService({
    files: {
      'datasets/plain/dataset.json': { id: PLAIN, name: 'Simples', tables: { Claims: { file: 'c.csv' } } },
      'datasets/plain/c.csv': csvOf(SHARES),
    },
  })
  await service.loaded
  begun = await replacingCalls(service)
}, 120_000)
afterAll(() => begun.service.stop())

const check = async (report: string, bytes: string | Buffer, name = 'novo.csv', more: object = {}) => {
  const id = await begun.draft(bytes, name)
  const table = report === PLAIN_REPORT ? 'Claims' : 'Custos'
  return (await begun.replace(report, id, table, '/check', more)).json()
}

describe('numbers of another size than the published ones', LONG, () => {
  test('are told as a change, whatever file has them', async () => {
    const { reportId } = await publishFile(begun, csvOf(SHARES))
    const larger = [
      'na coluna Taxa, os números são cerca de 100 vezes maiores que os publicados: veja se estão na mesma unidade',
    ]
    const sheet = workbookOf({
      sheets: [
        { rows: [['Setor', 'Taxa'], ...POINTS.map((text, n) => [`S${n}`, Number(text.replace(',', '.'))])] },
      ],
    })
    for (const report of [reportId, PLAIN_REPORT]) {
      expect(await check(report, csvOf(POINTS))).toMatchObject({ faults: [], changes: larger })
      const { changes } = await check(report, sheet, 'novo.xlsx')
      expect(changes.filter((sentence: string) => sentence.includes('Taxa'))).toEqual(larger)
    }
    // A schedule says it too: the sentence has no value of either.
    expect((await check(reportId, csvOf(POINTS), 'novo.csv', { quotesData: false })).changes).toEqual(larger)
    expect((await begun.replace(reportId, await begun.draft(csvOf(POINTS)), 'Custos')).json()).toMatchObject({
      faults: [],
      changes: larger,
    })
    expect((await check(reportId, csvOf(POINTS))).changes).toEqual([])
    expect((await check(reportId, csvOf(SHARES))).changes).toEqual([
      'na coluna Taxa, os números são cerca de 100 vezes menores que os publicados: veja se estão na mesma unidade',
    ])
  })

  test('are not told where they grew, changed their sign or are few', async () => {
    const { reportId } = await publishFile(begun, csvOf(SHARES))
    for (const numbers of [
      ['0,9', '1,2', '-1,8', '1,1'],
      ['-0,08', '-0,12', '-0,1'],
      ['8', '12'],
    ])
      expect((await check(reportId, csvOf(numbers))).changes, numbers.join(' ')).toEqual([])
  })
})
