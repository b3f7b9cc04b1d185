import { mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  CLAIMS,
  claimsDataset,
  claimsReport,
  GROUP,
  PLAIN,
  plainReport,
  type Service,
  serviceWith,
  UNKNOWN,
  visual,
  writeFiles,
} from '../../../test/fixture.ts'
import type { PageData } from '../../wire/embed-contract.ts'

const PLAIN_DATA = 'datasets/plain/c.csv'
const refreshes = `/groups/${GROUP}/datasets/${CLAIMS}/refreshes`
const csv = (...values: number[]) =>
  `id,operadora,sexo,valor,dia,pago,hora\n${values.map((id) => `${id},CNU,x,1,2024-01-05,true,2024-01-05 10:00:00\n`).join('')}`

/** Replaces a file as authors do: a temporary file and a rename. */
const replace = async (service: Service, name: string, text: string) => {
  const path = join(service.dataDir, name)
  await writeFile(`${path}.new`, text)
  await rename(`${path}.new`, path)
}
const parquet = async (select: string): Promise<Buffer> => {
  const dir = await mkdtemp(join(tmpdir(), 'parquet-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const writer = await (await DuckDBInstance.create(':memory:')).connect()
  await writer.run(`COPY (${select}) TO '${dir}/p' (FORMAT parquet, COMPRESSION zstd)`)
  writer.closeSync()
  return readFile(join(dir, 'p'))
}
const refresh = async (service: Service) => {
  const token = await service.entraToken()
  const asked = await service.rest(token, 'POST', refreshes, { notifyOption: 'NoNotification' })
  expect([asked.statusCode, asked.body]).toEqual([202, ''])
  const history = async () => (await service.rest(token, 'GET', refreshes)).json().value
  await expect.poll(async () => (await history())[0].status, { timeout: 15_000 }).not.toBe('Unknown')
  const [latest] = await history()
  expect(asked.headers['x-ms-request-id']).toBe(latest.requestId)
  return latest
}

test('the publication of the data is its first completed refresh', async () => {
  const service = await serviceWith()
  await service.loaded
  const token = await service.entraToken()
  const history = async () => (await service.rest(token, 'GET', refreshes)).json().value
  const published = '2024-02-03T04:05:06.000Z'
  const folder = join(service.dataDir, 'datasets/claims')
  for (const name of await readdir(folder))
    await utimes(join(folder, name), new Date(published), new Date(published))
  await service.versions.refresh()
  const first = { status: 'Completed', refreshType: 'OnDemand', startTime: published, endTime: published }
  expect(await history()).toMatchObject([first])
  await refresh(service)
  expect(await history()).toMatchObject([{ refreshType: 'ViaApi' }, first])
  expect((await history())[1]).toEqual((await history())[1])
  await replace(service, 'datasets/claims/claims.csv', csv(7, 8))
  await service.versions.refresh()
  const [newest] = await history()
  expect(Date.parse(newest.endTime)).toBeGreaterThan(Date.parse(published))
})

describe('a dataset that is replaced', () => {
  test('a dataset that is replaced shows its new rows without a restart, and what has not changed is kept', async () => {
    const service = await serviceWith()
    const token = await service.embedToken(['todos'])
    const before = await service.loaded
    expect(await service.ids(token)).toEqual([1, 2, 3, 4, 5])
    await replace(service, 'datasets/claims/claims.csv', csv(7, 8))
    expect(await refresh(service)).toMatchObject({ status: 'Completed', refreshType: 'ViaApi' })
    // The cached answer belonged to the previous version.
    expect(await service.ids(token)).toEqual([7, 8])
    const after = service.versions.current()
    expect(after?.datasets.get(PLAIN)).toBe(before.datasets.get(PLAIN))
    expect(after?.reports.get(plainReport.id)).toBe(before.reports.get(plainReport.id))
    expect(after?.datasets.get(CLAIMS)).not.toBe(before.datasets.get(CLAIMS))
    expect(before.datasets.get(CLAIMS)?.database.isClosed()).toBe(true)
    expect(before.datasets.get(PLAIN)?.database.isClosed()).toBe(false)
  })

  test('a dataset that is replaced answers a running page from its old version, and closes that after the last reader', async () => {
    // Two visuals of one page that would differ if they used different versions.
    const slow = 'SELECT count(*) AS n FROM Claims, range(3000) a(x), range(1000) b(y) WHERE (x * y) % 7 < 7'
    const pages = [
      {
        name: 'Main',
        displayName: 'P',
        visuals: [visual('slow', slow), visual('ids', 'SELECT id FROM Claims')],
      },
    ]
    const service = await serviceWith({ files: { 'workspaces/one/claims.json': { ...claimsReport, pages } } })
    const token = await service.embedToken(['todos'])
    const database = (await service.loaded).datasets.get(CLAIMS)?.database
    const reading = service.data(token)
    await replace(service, 'datasets/claims/claims.csv', csv(7))
    expect((await refresh(service)).status).toBe('Completed')
    const answer = await reading
    expect(answer.statusCode).toBe(200)
    const { visuals, failures } = answer.json() as PageData
    expect(failures).toEqual({})
    expect([visuals.slow?.rows, visuals.ids?.rows.length]).toEqual([[[15_000_000]], 5])
    await expect.poll(() => database?.isClosed()).toBe(true)
    expect(((await service.data(token)).json() as PageData).visuals.slow?.rows).toEqual([[3_000_000]])
  })

  test('a dataset that is replaced never causes an error or rows of two versions, however often it is replaced', async () => {
    const service = await serviceWith()
    const token = await service.embedToken(['todos'])
    let isOver = false
    const seen = new Set<string>()
    const reader = async () => {
      while (!isOver) {
        const answer = await service.data(token)
        expect(answer.statusCode).toBe(200)
        const { ids, total } = (answer.json() as PageData).visuals
        expect(total?.rows[0]?.[1]).toBe(ids?.rows.length)
        seen.add(String(ids?.rows))
        await sleep(20)
      }
    }
    const readers = Promise.all([reader(), reader(), reader()])
    for (const size of [1, 2, 3, 4]) {
      await replace(
        service,
        'datasets/claims/claims.csv',
        csv(...Array.from({ length: size }, (_, id) => id)),
      )
      expect((await refresh(service)).status).toBe('Completed')
    }
    await expect.poll(() => seen.has('0,1,2,3')).toBe(true)
    isOver = true
    await readers
    expect(service.versions.openDatabases()).toBe(2)
  })

  test('a dataset that is replaced keeps its previous version open until its last reader has left', async () => {
    const service = await serviceWith()
    await service.loaded
    const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const earlier = service.versions.current()
    const readings = [one, other].map(({ promise }) =>
      service.versions.read(async (catalog) => {
        await promise
        return catalog
      }),
    )
    await replace(service, 'datasets/claims/claims.csv', csv(7))
    await service.versions.refresh()
    expect(service.versions.current()).not.toBe(earlier)
    expect(service.versions.openDatabases()).toBe(3)
    one.resolve()
    expect(await readings[0]).toBe(earlier)
    expect(service.versions.openDatabases()).toBe(3)
    // The last reader closes it; the next publication may be a month away.
    other.resolve()
    expect(await readings[1]).toBe(earlier)
    expect(service.versions.openDatabases()).toBe(2)
  })

  test('a dataset that is replaced keeps its version when the new files are unusable, and the refresh fails', async () => {
    const service = await serviceWith()
    const token = await service.embedToken(['todos'])
    await replace(service, 'datasets/claims/claims.csv', 'id,operadora\n1\n')
    const failed = await refresh(service)
    expect([failed.status, JSON.parse(failed.serviceExceptionJson)]).toEqual([
      'Failed',
      { errorCode: 'ModelRefresh_DataSourceError' },
    ])
    expect(await service.ids(token)).toEqual([1, 2, 3, 4, 5])
    expect(service.versions.current()?.warnings).toEqual([
      'datasets/claims/dataset.json: tables.Claims: claims.csv: linha 2: 1 campo, e o cabeçalho tem 2',
      'datasets/claims/dataset.json: continua no ar a versão anterior deste conjunto de dados',
    ])
    await replace(service, 'datasets/claims/dataset.json', '{')
    expect((await refresh(service)).status).toBe('Failed')
    expect(await service.ids(token)).toEqual([1, 2, 3, 4, 5])
    expect(service.versions.openDatabases()).toBe(2)
  })

  test.each<[string, () => Promise<[file: string, bytes: Uint8Array]>, RegExp]>([
    [
      'a CSV of mixed encodings',
      async () => [
        'claims.csv',
        Buffer.concat([Buffer.from(`${csv(7)}8,São,x,1,,,\n`), Buffer.from('9,João,x,1,,,\n', 'latin1')]),
      ],
      /claims\.csv: mistura codificações: a linha 3 está em UTF-8, e a linha 4 não$/,
    ],
    [
      'a CSV with a field of 40 MB',
      async () => ['claims.csv', Buffer.concat([Buffer.from(`${csv(7)}8,"`), Buffer.alloc(40_000_000, 'x')])],
      /claims\.csv: linha 3: aspas abertas que não se fecham \(ou um campo com mais de 1 MB\)$/,
    ],
    [
      'a Parquet file that exceeds the memory when unpacked',
      async () => [
        'claims.parquet',
        await parquet('SELECT range AS id, md5(range::VARCHAR) AS operadora FROM range(4000000)'),
      ],
      /claims\.parquet: descompactado, tem \d+ MB, e há \d+ MB de memória \(REPORTS_MEMORY_MB\)$/,
    ],
  ])(
    'a dataset that is replaced fails to refresh from %s, while readers and /readyz are served',
    async (_name, make, sentence) => {
      const service = await serviceWith({ env: { REPORTS_MEMORY_MB: '128' } })
      const token = await service.embedToken(['todos'])
      const [file, bytes] = await make()
      const dataset = 'datasets/claims'
      await writeFile(join(service.dataDir, dataset, `${file}.new`), bytes)
      await rename(join(service.dataDir, dataset, `${file}.new`), join(service.dataDir, dataset, file))
      await writeFiles(service.dataDir, {
        [`${dataset}/dataset.json`]: {
          ...claimsDataset,
          tables: { ...claimsDataset.tables, Claims: { file } },
        },
      })
      let isOver = false
      const seen: unknown[] = []
      const waits: number[] = []
      const reader = async () => {
        // Each round uses a new filter, so that no answer comes from the cache.
        for (let round = 0; !isOver; round++) {
          const filter = {
            target: { table: 'Claims', column: 'valor' },
            filterType: 0,
            logicalOperator: 'And',
            conditions: [{ operator: 'GreaterThan', value: -1 - round }],
          }
          seen.push(await service.ids(token, [filter]))
          const asked = performance.now()
          const ready = await service.app.inject('/readyz')
          waits.push(performance.now() - asked)
          expect([ready.statusCode, ready.json().relatorios]).toEqual([200, 2])
          await sleep(20)
        }
      }
      const readers = Promise.all([reader(), reader()])
      const failed = await refresh(service).finally(() => (isOver = true))
      await readers
      expect([failed.status, JSON.parse(failed.serviceExceptionJson)]).toEqual([
        'Failed',
        { errorCode: 'ModelRefresh_DataSourceError' },
      ])
      expect(service.versions.current()?.warnings).toEqual([
        expect.stringMatching(sentence),
        'datasets/claims/dataset.json: continua no ar a versão anterior deste conjunto de dados',
      ])
      expect(seen.length).toBeGreaterThan(2)
      expect(new Set(seen.map(String))).toEqual(new Set(['1,2,3,4,5']))
      expect(Math.max(...waits)).toBeLessThan(1000)
      expect(service.versions.openDatabases()).toBe(2)
    },
  )

  test('a dataset that is replaced returns 404 after it was removed', async () => {
    const service = await serviceWith()
    const token = await service.embedToken(['todos'])
    await rm(join(service.dataDir, 'datasets/claims'), { recursive: true })
    await service.versions.refresh()
    expect((await service.data(token)).statusCode).toBe(404)
    expect(service.versions.openDatabases()).toBe(1)
  })
})

describe('a report that is replaced', () => {
  test('a report that is replaced is read again without its dataset', async () => {
    const service = await serviceWith()
    const before = await service.loaded
    const pages = [{ name: 'Main', displayName: 'P', visuals: [visual('ids', 'SELECT 9 AS id FROM Claims')] }]
    await writeFiles(service.dataDir, { 'workspaces/one/claims.json': { ...claimsReport, pages } })
    const after = await service.versions.refresh()
    expect(await service.ids(await service.embedToken(['todos']))).toEqual([9, 9, 9, 9, 9])
    expect(after.datasets.get(CLAIMS)).toBe(before.datasets.get(CLAIMS))
  })

  test('a report that is replaced keeps its version when the new file is invalid', async () => {
    const service = await serviceWith()
    await writeFiles(service.dataDir, { 'workspaces/one/claims.json': { ...claimsReport, pages: [] } })
    expect((await service.versions.refresh()).reports.size).toBe(2)
    await writeFiles(service.dataDir, { 'workspaces/one/claims.json': { ...claimsReport, paginas: 1 } })
    const { reports, warnings } = await service.versions.refresh()
    expect([reports.size, warnings]).toEqual([
      2,
      [
        expect.stringMatching(
          /^workspaces\/one\/claims\.json: Chave inválida: "paginas" \(linha 1, coluna \d+\)$/,
        ),
      ],
    ])
    expect(await service.ids(await service.embedToken(['todos']))).toEqual([1, 2, 3, 4, 5])
  })
})

test('a refresh that exceeds the memory next to the current version is refused', async () => {
  const size = 1_000_000
  const rows = (first: number) => `SELECT range + ${first} AS x FROM range(${size})`
  const writer = await (await DuckDBInstance.create(':memory:')).connect()
  const service = await serviceWith({ env: { REPORTS_MEMORY_MB: '128' } })
  const put = async (first: number, times: number) => {
    const path = join(service.dataDir, 'datasets/plain/c.parquet')
    const all = Array.from({ length: times }, (_, one) => rows(first + one)).join(' UNION ALL ')
    await writer.run(`COPY (${all}) TO '${path}.new' (FORMAT parquet, COMPRESSION zstd)`)
    await rename(`${path}.new`, path)
  }
  await put(0, 1)
  await writeFiles(service.dataDir, {
    'datasets/plain/dataset.json': { id: PLAIN, name: 'S', tables: { Claims: { file: 'c.parquet' } } },
  })
  const one = await service.versions.refresh()
  expect(one.warnings).toEqual([])
  await put(5, 20)
  const { warnings, datasets } = await service.versions.refresh()
  expect(warnings.join('\n')).toMatch(
    /tables\.Claims: c\.parquet: (não cabe na memória|descompactado, tem \d+ MB)/,
  )
  expect(datasets.get(PLAIN)).toBe(one.datasets.get(PLAIN))
  writer.closeSync()
}, 60_000)

test('a refresh requested during another one loads the files as they are after the request', async () => {
  const service = await serviceWith()
  const first = service.versions.refresh()
  await replace(service, PLAIN_DATA, 'x\n1\n2\n3\n')
  const [second, third] = [service.versions.refresh(), service.versions.refresh()]
  expect(await second).toBe(await third)
  expect(await second).not.toBe(await first)
  const database = (await second).datasets.get(PLAIN)
  const source = database?.tables.get('claims')?.source
  expect(await database?.database.query(`SELECT count(*)::INTEGER FROM ${source}`)).toEqual([[3]])
})

test('POST /refreshes returns 404 for an unknown dataset, and 400 while a refresh runs', async () => {
  const service = await serviceWith()
  const token = await service.entraToken()
  const unknown = await service.rest(token, 'POST', `/groups/${GROUP}/datasets/${UNKNOWN}/refreshes`, {
    notifyOption: 'NoNotification',
  })
  expect([unknown.statusCode, unknown.json().error.code]).toEqual([404, 'PowerBIEntityNotFound'])
  const [one, two] = await Promise.all([
    service.rest(token, 'POST', refreshes, { notifyOption: 'NoNotification' }),
    service.rest(token, 'POST', refreshes, { notifyOption: 'NoNotification' }),
  ])
  expect([one.statusCode, two.statusCode].sort()).toEqual([202, 400])
  const wrong = await service.rest(token, 'POST', refreshes, { notifyOption: 'Fax' })
  expect(wrong.statusCode).toBe(400)
  expect(
    (await service.rest(undefined, 'POST', refreshes, { notifyOption: 'NoNotification' })).statusCode,
  ).toBe(401)
  expect((await service.rest(token, 'GET', `${refreshes}?$top=0`)).statusCode).toBe(400)
})

test('a file with another modification time is loaded again', async () => {
  const service = await serviceWith()
  const before = (await service.loaded).datasets.get(PLAIN)
  await utimes(join(service.dataDir, PLAIN_DATA), 1, 1)
  expect((await service.versions.refresh()).datasets.get(PLAIN)).not.toBe(before)
})
