import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginDrafts } from '../../../../test/draft-calls.ts'
import { startService } from '../../../../test/fixture.ts'
import { openDatabase } from '../../../engine/data/database/database.ts'

const begin = async () => {
  const service = await startService()
  await service.loaded
  const drafts = await beginDrafts(service)
  const read = async (bytes: string, choices: object = {}, name = 'Pesos.csv') => {
    const id = await drafts.draft(bytes, name)
    return { id, read: await drafts.call(`${id}/read`, { reportName: 'Pesos', ...choices }) }
  }
  const publication = (report: object) => ({ workspace: { name: 'Área' }, report: JSON.stringify(report) })
  const publish = async (id: string, report: object) => drafts.call(`${id}/publish`, publication(report))
  const replace = async (reportId: string, bytes: string, choices: object = {}) => {
    const draft = await drafts.draft(bytes, 'novo.csv')
    const answer = await service.app.inject({
      method: 'POST',
      url: `/v1.0/myorg/publications/${reportId}/data`,
      headers: { authorization: `Bearer ${drafts.token}`, 'x-requested-for': 'ana' },
      payload: { draft, table: 'Pesos', author: 'Ana', ...choices },
    })
    return answer.json()
  }
  return { service, ...drafts, read, publication, publish, replace }
}
type Begun = Awaited<ReturnType<typeof begin>>
let begun: Begun
beforeAll(async () => {
  begun = await begin()
})
afterAll(() => begun.service.stop())

const file = (...values: string[]) =>
  ['Unidade;Peso', ...values.map((value, n) => `U${n};${value}`)].join('\n')
/** Publishes a file with a chosen mark, and returns the id of the report. */
const published = async ({ read, publish }: Begun, bytes: string, choices: object = {}): Promise<string> => {
  const { id, read: answer } = await read(bytes, choices)
  expect(answer.faults).toEqual([])
  const { faults, reportId } = await publish(id, answer.report)
  expect(faults).toEqual([])
  return reportId
}
/** The weights that readers of the published report see. */
const weights = async ({ service, token }: Begun, reportId: string) => {
  const listed = (await service.rest(token, 'GET', '/groups')).json()
  const { id: group } = listed.value.find(({ name }: { name: string }) => name === 'Área')
  const path = `/groups/${group}/reports/${reportId}/GenerateToken`
  const embed = (await service.rest(token, 'POST', path, { accessLevel: 'View' })).json().token
  const { visuals } = (await service.data(embed, [], 'geral', reportId)).json()
  const totals = Object.entries(visuals).flatMap(([name, visual]) =>
    name.startsWith('total_') ? [Number((visual as { rows: string[][] }).rows[0]?.[0])] : [],
  )
  return totals.at(-1)
}
const ASKED =
  'Pesos.csv: a coluna Peso pode ser lida de duas formas: "3.250" é 3.250 ou 3,25. Escolha a vírgula decimal ou o ponto decimal.'

describe('the decimal mark of a draft', () => {
  test('the decimal mark of a draft is asked where nothing decides it, before any check, preview or publication', async () => {
    const { read, call, publication } = begun
    const { id, read: first } = await read(file('3.250', '2.980'))
    expect(first).toMatchObject({ faults: [], isInDoubt: true, decimal: null })
    expect(first.columns[1]).toMatchObject({ type: 'number', fitsBothMarks: true })
    for (const act of ['check', 'preview', 'publish'])
      expect((await call(`${id}/${act}`, publication(first.report))).faults).toEqual([ASKED])
    const chosen = await call(`${id}/read`, { reportName: 'Pesos', decimal: '.' })
    expect(chosen).toMatchObject({ isInDoubt: false, decimal: '.' })
    expect(chosen.preview[0]).toEqual(['U0', '3.25'])
    expect((await call(`${id}/check`, publication(chosen.report))).faults).toEqual([])
    // Read again without the choice, nothing of the earlier reading may be published.
    await call(`${id}/read`, { reportName: 'Pesos' })
    expect((await call(`${id}/publish`, publication(chosen.report))).faults).toEqual([ASKED])
  })

  test.each([
    ['another column with commas', 'A;B\n3.250;0,5\n2.980;1,5\n', ',', 3250],
    ['another column with points', 'A;B\n3.250;12.5\n2.980;0.25\n', '.', 3.25],
    ['the signs of reais', 'A;B\n3.250;R$ 1.200\n2.980;R$ 3.400\n', ',', 3250],
    ['quoted numbers with commas', 'A,B\n3.250,"0,5"\n2.980,"12,75"\n', ',', 3250],
    ['a value far below the sample', `A;B\n${'3.250;1\n'.repeat(25_000)}3.250;1,5\n`, ',', 3250],
    ['a value of the column itself', 'A;B\n3.250;x\n2.98;y\n', '.', 3.25],
  ])('the decimal mark of a draft is decided by %s', async (_name, bytes, decimal, value) => {
    const { read } = begun
    const { read: answer } = await read(bytes)
    expect(answer).toMatchObject({ faults: [], isInDoubt: false, decimal })
    expect(Number(answer.preview[0][0])).toBe(value)
  })

  test('the decimal mark of a draft is asked when columns show both marks, and each of those keeps its own', async () => {
    const { read } = begun
    const bytes = 'A;B;C\n3.250;0,5;12.5\n2.980;1,5;0.75\n'
    expect((await read(bytes)).read).toMatchObject({ isInDoubt: true, decimal: null })
    const { read: comma } = await read(bytes, { decimal: ',' })
    expect(comma.preview[0].map(Number)).toEqual([3250, 0.5, 12.5])
    const { read: point } = await read(bytes, { decimal: '.' })
    expect(point.preview[0].map(Number)).toEqual([3.25, 0.5, 12.5])
  })

  test('the decimal mark of a draft is of no matter to numbers that are the same with both', async () => {
    const { read } = begun
    const { read: answer } = await read('A;B;C\nR$ 5;8%;+7\nR$ 12;10%;+9\n')
    expect(answer).toMatchObject({ faults: [], isInDoubt: false })
    expect(answer.preview[0].map(Number)).toEqual([5, 0.08, 7])
  })
})

describe('the choices of a publication', () => {
  test('the choices of a publication hold for later data of the table', async () => {
    const reportId = await published(begun, file('3.250', '2.980'), { decimal: '.' })
    expect(await weights(begun, reportId)).toBeCloseTo(6.23)
    const replaced = await begun.replace(reportId, file('1.500', '1.250'))
    expect(replaced).toMatchObject({ faults: [], reading: { decimal: '.', isInDoubt: false } })
    expect(await weights(begun, reportId)).toBeCloseTo(2.75)
    // A second time, from what the first replacement kept.
    await begun.replace(reportId, file('1.500', '1.500'))
    expect(await weights(begun, reportId)).toBeCloseTo(3)
  })

  test('the choices of a publication are asked again when later data shows another mark', async () => {
    const bytes = (other: string) => `Unidade;Peso;Taxa\nA;3.250;${other}\nB;2.980;${other}\n`
    const reportId = await published(begun, bytes('0,5'))
    const refused = await begun.replace(reportId, bytes('0.5'))
    expect(refused).toMatchObject({ reading: { isInDoubt: true } })
    // A schedule adds the full stop.
    expect(refused.faults).toEqual([
      'novo.csv: a coluna Peso pode ser lida de duas formas: "3.250" é 3.250 ou 3,25. Escolha a vírgula decimal ou o ponto decimal',
    ])
    const chosen = await begun.replace(reportId, bytes('0.5'), { decimal: '.' })
    expect(chosen).toMatchObject({ faults: [], reading: { decimal: '.' } })
  })

  test('earlier versions had no choices, and their tables are read by their delimiter as before', async () => {
    const { id, read } = await begun.read(file('3.250', '2.980'), { decimal: ',' })
    const { reportId } = await begun.publish(id, read.report)
    await forgetChoices(begun.service.dataDir, read.report.dataset)
    const replaced = await begun.replace(reportId, file('1.500', '1.250'))
    expect(replaced).toMatchObject({ faults: [], reading: { decimal: ',' } })
    expect(await weights(begun, reportId)).toBe(2750)
  })

  test('the choices of a publication leave rows of totals out of later data too', async () => {
    const rows = (value: string) => `Unidade;Peso\nA;${value}\nB;${value}\nC;${value}\nTotal;99,5\n`
    const reportId = await published(begun, rows('1,5'), { withoutTotals: true })
    expect(await weights(begun, reportId)).toBe(4.5)
    const replaced = await begun.replace(reportId, rows('2,5'))
    expect(replaced).toMatchObject({ faults: [], rows: 3, reading: { totals: 1, withoutTotals: true } })
    expect(await weights(begun, reportId)).toBe(7.5)
    // The choice holds for a file with few rows, too, or with many totals.
    const few = await begun.replace(reportId, 'Unidade;Peso\nA;2,5\nTotal;2,5\n')
    expect(few).toMatchObject({ faults: [], rows: 1, reading: { totals: 1, withoutTotals: true } })
    const whole = await begun.replace(reportId, rows('2,5'), { withoutTotals: false })
    expect(whole).toMatchObject({ rows: 4, reading: { totals: 1, withoutTotals: false } })
  })
})

/** Rewrites the data of a report as earlier versions did, which kept the headings only. */
const forgetChoices = async (dataDir: string, dataset: string) => {
  const folders = await readdir(join(dataDir, 'datasets'))
  const own = folders.find((name) => name.endsWith(dataset.slice(0, 8))) ?? ''
  const path = join(dataDir, 'datasets', own, 'dados.parquet')
  const database = await openDatabase({ memoryMegabytes: 64, timeoutMs: 10_000 })
  const [kept] = await database.load(
    `SELECT decode(value) FROM parquet_kv_metadata('${path}') WHERE decode(key) = 'bi_manager_headings'`,
  )
  expect(JSON.parse(String(kept?.[0]))).toMatchObject({ Peso: 'Peso' })
  await database.load(
    `COPY (FROM '${path}') TO '${path}.novo' (FORMAT parquet, KV_METADATA {bi_manager_headings: '${kept?.[0]}'})`,
  )
  await database.close()
  await writeFile(path, await readFile(`${path}.novo`))
}
