import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLAIN, PLAIN_REPORT, startService } from '../../../test/fixture.ts'
import { parquetOf } from '../../../test/parquet-of.ts'
import { type Begun, replacingCalls } from '../../../test/replacing.ts'
import { type TestCell, workbookOf } from '../../../test/workbooks.ts'

/* Data of a version that kept neither scales nor number formats is replaced. */

/** Several publications, each of which checks the report on its data. */
const LONG = { timeout: 90_000 }
const OLD = `SELECT 'A' AS Unidade, 1310100 AS CEP, TIMESTAMP '1899-12-30 08:00:00' AS Hora,
  TIMESTAMP '1899-12-31 12:00:00' AS Duracao, 0.08::DOUBLE AS Desconto`

let begun: Begun
beforeAll(async () => {
  const files = {
    'datasets/plain/dataset.json': { id: PLAIN, name: 'Simples', tables: { Claims: { file: 'c.parquet' } } },
    'datasets/plain/c.parquet': await parquetOf(OLD),
  }
  const service = await startService({ files })
  await service.loaded
  begun = await replacingCalls(service)
})
afterAll(() => begun.service.stop())

const send = async (what: '' | '/check', bytes: string | Buffer, choices: object = {}) => {
  const id = await begun.draft(bytes, typeof bytes === 'string' ? 'novo.csv' : 'novo.xlsx')
  return (await begun.replace(PLAIN_REPORT, id, 'Claims', what, choices)).json()
}
const csv = (discount: string) =>
  `Unidade;CEP;Hora;Duracao;Desconto\nA;1310100;1899-12-30 08:00:00;1899-12-31 12:00:00;${discount}\n`
const [MASK, TIME, HOURS] = [1, 2, 3]
const sheet = (...row: TestCell[]) =>
  workbookOf({
    sheets: [{ rows: [['Unidade', 'CEP', 'Hora', 'Duracao', 'Desconto'], row] }],
    formats: ['00000-000', 'hh:mm', '[h]:mm'],
  })

test('a replacement says what is not known of the scale, and asks once', LONG, async () => {
  const asked =
    'novo.csv: a coluna Desconto tem percentuais, e não se sabe se os dados publicados, de uma versão anterior, também são percentuais: envie este arquivo uma vez em Substituir dados e diga se 8% é 0,08 ou 8; as trocas seguintes, também as agendadas, usam a resposta'
  const schedule = { quotesData: false }
  expect(await send('', csv('9%'), schedule)).toMatchObject({
    faults: [asked],
    questions: [{ name: 'Desconto', hasSign: true, isUnknown: true }],
  })
  const answered = await send('', csv('9%'), { scales: { Desconto: 'asRead' } })
  expect([answered.faults, answered.preview[0][4]]).toEqual([[], '0.09'])
  for (const next of ['10%', '11%']) expect((await send('', csv(next), schedule)).faults).toEqual([])
})

test('a replacement names the type for codes, times and durations of a sheet, once', LONG, async () => {
  const next = sheet(
    'A',
    { value: 1_310_100, style: MASK },
    { value: 1 / 3, style: TIME },
    { value: 1.5, style: HOURS },
    0.08,
  )
  const wayOut = (line: string, name: string, now: string, before: string, label: string) =>
    `novo.xlsx: linha 2: coluna ${name}: ${line}. A planilha traz a coluna como ${now}, e os dados publicados, como ${before}: em Substituir dados, envie este arquivo e escolha ${label} em Tipo de ${name}; as trocas seguintes, também as agendadas, usam a escolha`
  const scales = { scales: { Desconto: 'asRead' } }
  const times = await send('/check', next, scales)
  const ofTimes = ['Hora', 'um texto', 'uma data e hora', 'Texto'] as const
  expect(times.faults).toEqual([wayOut('"08:00" não é uma data e hora', ...ofTimes)])
  // The page has columns in which to choose.
  expect(times.columns[2]).toMatchObject({ name: 'Hora', type: 'timestamp', before: 'timestamp' })
  expect(times.preview[0]).toEqual(['A', '01310-100', '08:00', '36.0', '0.08'])
  expect((await send('', next, { ...scales, quotesData: false })).faults).toEqual([
    wayOut('o valor não é uma data e hora', ...ofTimes),
  ])
  const Hora = 'text'
  expect((await send('/check', next, { ...scales, types: { Hora } })).faults).toEqual([
    wayOut('"36" não é uma data e hora', 'Duracao', 'um número', 'uma data e hora', 'Número'),
  ])
  const Duracao = 'number'
  expect((await send('/check', next, { ...scales, types: { Hora, Duracao } })).faults).toEqual([
    wayOut('"01310-100" não é um número', 'CEP', 'um texto', 'um número', 'Texto'),
  ])
  const all = { ...scales, types: { CEP: 'text', Hora, Duracao } }
  expect((await send('', next, all)).faults).toEqual([])
  expect(await send('', next, { quotesData: false })).toMatchObject({ faults: [], changes: [] })
})
