import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  CLAIMS,
  claimsDataset,
  claimsReport,
  type Files,
  fixtureFiles,
  GROUP,
  PLAIN_REPORT,
  plainReport,
  REPORT,
  serviceWith,
  UNKNOWN,
  visual,
  writeFiles,
} from '../../../test/fixture.ts'
import { OLD_OR_NEW, outcomesOfCrashes } from '../../../test/killed-publications.ts'
import { type CheckResult, check, publish, remove } from './publish.ts'

const CSV = 'id,operadora,sexo,valor,dia,pago,hora\n7,CNU,x,1,2024-01-05,true,2024-01-05 10:00:00\n'
const memoryMegabytes = 256

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'autor-'))
  onTestFinished(() => rm(folder, { recursive: true }))
})
/** Returns a data folder without a running service. */
const dataFolder = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'dados-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  await writeFiles(dataDir, fixtureFiles)
  return dataDir
}
const author = (files: Files) => writeFiles(folder, files)
/** Returns all published files by path. */
const contents = async (dataDir: string) => {
  const found: Record<string, string> = {}
  for (const part of ['datasets', 'workspaces']) {
    for (const entry of await readdir(join(dataDir, part), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile()) found[path.slice(dataDir.length + 1)] = await readFile(path, 'utf8')
    }
  }
  return found
}
const inFolder = ({ faults }: CheckResult) => faults.map((fault) => fault.replaceAll(`${folder}/`, ''))

// Kind: a caller that may change one report and its data only is trusted to have checked the ids.
test.each([
  ['check', check],
  ['publish', publish],
])('%s refuses other reports and datasets than the folder may change', async (_act, act) => {
  const dataDir = await dataFolder()
  const before = await contents(dataDir)
  await author({
    'one/workspace.json': fixtureFiles['workspaces/one/workspace.json'] ?? {},
    'one/claims.json': { ...claimsReport, name: 'Outro' },
  })
  const faultsOf = async (...ids: string[]) =>
    (await act({ dataDir, memoryMegabytes, mayChange: new Set(ids) }, folder)).faults
  const refusal = (id: string) => expect.stringContaining(`o id ${id} não é deste arquivo`)
  expect(await faultsOf(UNKNOWN)).toEqual([refusal(REPORT), refusal(CLAIMS)])
  expect(await faultsOf(REPORT)).toEqual([refusal(CLAIMS)])
  expect(await faultsOf(CLAIMS)).toEqual([refusal(REPORT)])
  expect(await contents(dataDir)).toEqual(before)
  expect(await faultsOf(REPORT, CLAIMS)).toEqual([])
})

describe('publish', () => {
  test('publish publishes a whole tree into a running service without a restart', async () => {
    const service = await serviceWith({ options: { watchMs: 50 } })
    const { dataDir } = service
    const token = await service.embedToken(['todos'])
    const pages = [{ name: 'Main', displayName: 'P', visuals: [visual('ids', 'SELECT id FROM Novo')] }]
    await author({
      'datasets/novo/dataset.json': { id: UNKNOWN, name: 'Novo', tables: { Novo: { file: 'n.csv' } } },
      'datasets/novo/n.csv': 'id;valor\n1;1,5\n',
      'workspaces/three/workspace.json': { id: UNKNOWN, name: 'Três' },
      'workspaces/three/novo.json': { ...plainReport, id: UNKNOWN, dataset: UNKNOWN, pages },
    })
    const { faults, published } = await publish({ dataDir, memoryMegabytes }, folder)
    expect([faults, published.length]).toEqual([[], 4])
    await expect.poll(() => service.versions.current()?.reports.size, { timeout: 10_000 }).toBe(3)
    expect(await service.ids(token)).toEqual([1, 2, 3, 4, 5])
    expect(await readdir(join(dataDir, '.publicacao'))).toEqual(['ultima.json', 'versoes'])
  })

  test('publish names the data files that no table uses', async () => {
    await author({
      'dataset.json': { id: UNKNOWN, name: 'Novo', tables: { Novo: { file: 'n.csv' } } },
      'n.csv': 'id\n1\n',
      'tabela.ods': 'x',
      'leia.md': 'x',
      '~$n.xlsx': 'x',
    })
    const { faults, remarks } = await publish({ dataDir: await dataFolder(), memoryMegabytes }, folder)
    expect([faults, remarks]).toEqual([
      [],
      [`${folder}/tabela.ods: nenhuma tabela de dataset.json usa este arquivo, e ele não é publicado`],
    ])
  })

  test('publish replaces a dataset by its id in any folder, and deletes data files that it no longer uses', async () => {
    const service = await serviceWith({ options: { watchMs: 50 } })
    const { dataDir } = service
    const token = await service.embedToken(['todos'])
    const tables = { ...claimsDataset.tables, Claims: { file: 'novos.csv' } }
    await author({
      'dataset.json': { ...claimsDataset, tables },
      'novos.csv': CSV,
      'access.csv': 'email,operadora\nx,y\n',
    })
    expect(inFolder(await publish({ dataDir, memoryMegabytes }, folder))).toEqual([])
    await expect.poll(() => service.ids(token), { timeout: 10_000 }).toEqual([7])
    expect((await readdir(join(dataDir, 'datasets/claims'))).sort()).toEqual([
      'access.csv',
      'dataset.json',
      'novos.csv',
    ])
  })

  test('publish does not read a pipe, and reports a hundred faults of a file and the number of the rest', async () => {
    const { dataDir } = await serviceWith()
    await author({ 'novo/tabela.csv': 'id\n1\n' })
    execFileSync('mkfifo', [join(folder, 'novo/dataset.json')])
    expect((await publish({ dataDir, memoryMegabytes }, folder)).faults.join('\n')).toMatch(
      /novo\/dataset\.json: não é um arquivo comum/,
    )
    await rm(join(folder, 'novo/dataset.json'))
    const tables = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`T${n}`, { file: 1 }]))
    await author({ 'novo/dataset.json': { id: UNKNOWN, name: 'x', tables } })
    const { faults } = await publish({ dataDir, memoryMegabytes }, folder)
    expect(faults.filter((fault) => fault.includes('tables.T'))).toHaveLength(100)
    expect(faults.join('\n')).toContain('novo/dataset.json: e mais 2900 faltas')
  })

  test('publish accepts tables from Parquet next to CSV, and refuses an invalid file', async () => {
    const service = await serviceWith({ options: { watchMs: 50 } })
    const { dataDir } = service
    const token = await service.embedToken(['todos'])
    const tables = { ...claimsDataset.tables, Claims: { file: 'novos.parquet' } }
    const access = 'email,operadora\nx,y\n'
    await author({ 'dataset.json': { ...claimsDataset, tables }, 'novos.parquet': CSV, 'access.csv': access })
    expect(inFolder(await publish({ dataDir, memoryMegabytes }, folder))).toEqual([
      expect.stringMatching(
        /^dataset\.json: tables\.Claims: novos\.parquet: não pôde ser lido como Parquet: corrompido/,
      ),
      expect.stringMatching(/^workspaces\/one\/claims\.json: dataset: .* não pôde ser carregado/),
    ])
    expect(await service.ids(token)).toEqual([1, 2, 3, 4, 5])

    const writer = await (await DuckDBInstance.create(':memory:')).connect()
    const row = `8 AS id, 'CNU' AS operadora, 'x' AS sexo, 1.5 AS valor, DATE '2024-01-05' AS dia,
      true AS pago, TIMESTAMP '2024-01-05 10:00:00' AS hora`
    await writer.run(`COPY (SELECT ${row}) TO '${join(folder, 'novos.parquet')}' (FORMAT parquet)`)
    writer.closeSync()
    expect(inFolder(await publish({ dataDir, memoryMegabytes }, folder))).toEqual([])
    await expect.poll(() => service.ids(token), { timeout: 10_000 }).toEqual([8])
  })

  test('publish replaces a report by its id under any file name', async () => {
    const dataDir = await dataFolder()
    await author({
      'workspace.json': { id: GROUP, name: 'Outro nome' },
      'renomeado.json': { ...claimsReport, name: 'R' },
    })
    expect(inFolder(await publish({ dataDir, memoryMegabytes }, folder))).toEqual([])
    expect((await readdir(join(dataDir, 'workspaces/one'))).sort()).toEqual([
      'renomeado.json',
      'workspace.json',
    ])
  })

  test('publish creates a missing data folder', async () => {
    await author({
      'd/dataset.json': { id: UNKNOWN, name: 'N', tables: { N: { file: 'n.csv' } } },
      'd/n.csv': 'a\n1\n',
    })
    const dataDir = join(folder, 'nova', 'pasta')
    expect(inFolder(await publish({ dataDir, memoryMegabytes }, join(folder, 'd')))).toEqual([])
    expect(await readdir(join(dataDir, 'datasets/d'))).toEqual(['dataset.json', 'n.csv'])
  })

  test.each<[string, Files, string[]]>([
    [
      'a folder without definitions',
      { 'leia-me.txt': 'x' },
      [expect.stringMatching(/: não há dataset\.json nem workspace\.json/)],
    ],
    [
      'broken JSON',
      { 'dataset.json': '{\n  "id": 1\n  "name"' },
      ['dataset.json: não pôde ser lido: esperava , ou }, e há "\\"" (linha 3, coluna 3)'],
    ],
    [
      'a report with an unknown dataset',
      {
        'workspace.json': { id: GROUP, name: 'W' },
        'r.json': { ...plainReport, id: UNKNOWN, dataset: UNKNOWN },
      },
      [`r.json: dataset: ${UNKNOWN} não existe ou não pôde ser carregado (linha 1, coluna 73)`],
    ],
    [
      'an id used in another workspace',
      { 'workspace.json': { id: GROUP, name: 'W' }, 'p.json': { ...plainReport } },
      [
        'workspaces/two/plain.json: id: já usado por outro relatório, workspaces/one/p.json (linha 1, coluna 7)',
      ],
    ],
    [
      'data that breaks an already published report',
      {
        'dataset.json': claimsDataset,
        'claims.csv': 'id,operadora\n1,X\n',
        'access.csv': 'email,operadora\nx,y\n',
      },
      [
        expect.stringMatching(
          /^workspaces\/one\/claims\.json: pages\[0\]\.visuals\[1\]\.query: a coluna valor não existe /,
        ),
        expect.stringMatching(/^workspaces\/one\/claims\.json: pages\[0\]\.visuals\[2\]\.query: /),
      ],
    ],
    [
      'a row with too few fields',
      {
        'dataset.json': claimsDataset,
        'claims.csv': `${CSV}8,CNU\n`,
        'access.csv': 'email,operadora\nx,y\n',
      },
      [
        'dataset.json: tables.Claims: claims.csv: linha 3: 2 campos, e o cabeçalho tem 7',
        expect.stringContaining('não existe ou não pôde ser carregado'),
      ],
    ],
    [
      'a table file outside the folder',
      { 'dataset.json': { ...claimsDataset, tables: { T: { file: '../../etc/x.csv' } } } },
      [
        expect.stringMatching(
          /^dataset\.json: tables\.T\.file: o nome de um arquivo .* \(linha 1, coluna \d+\)$/,
        ),
      ],
    ],
  ])('publish refuses %s without a change', async (_name, files, expected) => {
    const dataDir = await dataFolder()
    const before = await contents(dataDir)
    await author(files)
    expect(inFolder(await publish({ dataDir, memoryMegabytes }, folder))).toEqual(expected)
    expect(await contents(dataDir)).toEqual(before)
    expect(await readdir(join(dataDir, '.publicacao'))).toEqual([])
  })

  test('publish refuses links, and two folders with one target', async () => {
    const dataDir = await dataFolder()
    const definition = { id: UNKNOWN, name: 'N', tables: { N: { file: 'n.csv' } } }
    await author({
      'a/x/dataset.json': definition,
      'b/x/dataset.json': { ...definition, id: CLAIMS },
      'fora.csv': 'a\n1\n',
    })
    await symlink('../../fora.csv', join(folder, 'a/x/n.csv'))
    expect(inFolder(await check({ dataDir, memoryMegabytes }, join(folder, 'a')))[0]).toBe(
      'a/x/n.csv: não é um arquivo comum (atalhos não são aceitos)',
    )
    await mkdir(join(folder, 'datasets'))
    await cp(join(folder, 'b/x'), join(folder, 'datasets/um'), { recursive: true })
    await cp(join(folder, 'b/x'), join(folder, 'datasets/dois'), { recursive: true })
    expect(inFolder(await check({ dataDir, memoryMegabytes }, folder)).join('\n')).toContain(
      'tem o mesmo destino que',
    )
  })

  test("the publication reports faults of the data besides faults of the definition's shape", async () => {
    const dataDir = await dataFolder()
    const visuals = [
      visual('a', 'SELECT 1 AS x', { type: 'lines' }),
      visual('b', 'SELECT nada FROM Claims'),
      visual('c', 'SELECT 1 AS x'),
      visual('d', 'SELECT 1 AS x', { type: 'line', option: { title: { link: 'x' } } }),
    ]
    const pages = [
      { name: 'M', displayName: 'P', visuals, phones: [] },
      { name: 'N', displayName: 'P', visuals: 7 },
      { name: 'O', displayName: 'O', visuals: [visual('a', 'SELECT 1 FROM Access')] },
    ]
    await author({ 'workspace.json': { id: GROUP, name: 'W' }, 'claims.json': { ...claimsReport, pages } })
    const expected = [
      /^claims\.json: pages\[0\]\.visuals\[0\]\.type: .*\(linha 1, /,
      /^claims\.json: pages\[0\]: .*phones.*\(linha 1, /,
      /^claims\.json: pages\[1\]\.visuals: .*\(linha 1, /,
      /^claims\.json: pages\[0\]\.visuals\[1\]\.query: .*nada.*\(linha 1, /,
      /^claims\.json: pages\[0\]\.visuals\[3\]\.option\.title\.link: não é aceito.*\(linha 1, /,
      /^claims\.json: pages\[2\]\.visuals\[0\]\.query: a tabela Access não existe.*\(linha 1, /,
    ].map((sentence) => expect.stringMatching(sentence))
    for (const evaluate of [check, publish])
      expect(inFolder(await evaluate({ dataDir, memoryMegabytes }, folder))).toEqual(expected)
  })

  test('publish publishes in spite of remarks', async () => {
    const dataDir = await dataFolder()
    const pages = [
      { name: 'M', displayName: 'P', visuals: [visual('a', 'SELECT 1 AS x', { format: { y: 'moeda' } })] },
    ]
    await author({ 'workspace.json': { id: GROUP, name: 'W' }, 'claims.json': { ...claimsReport, pages } })
    const { faults, remarks } = await publish({ dataDir, memoryMegabytes }, folder)
    expect([faults, remarks.map((one) => one.replace(`${folder}/`, ''))]).toEqual([
      [],
      [
        expect.stringMatching(
          /^claims\.json: pages\[0\]\.visuals\[0\]\.format\.y: a consulta não devolve esta coluna \(linha 1, /,
        ),
      ],
    ])
  })
})

describe('remove', () => {
  test('remove removes a report from a running service, and a dataset that no report uses', async () => {
    const service = await serviceWith({ options: { watchMs: 50 } })
    const settings = { dataDir: service.dataDir, memoryMegabytes }
    expect(await remove(settings, CLAIMS)).toEqual({ reason: 'Antes, retire: workspaces/one/claims.json.' })
    expect(await remove(settings, REPORT)).toEqual({ name: 'Sinistralidade' })
    await expect.poll(() => service.versions.current()?.reports.size, { timeout: 10_000 }).toBe(1)
    expect(await remove(settings, CLAIMS)).toEqual({ name: 'Sinistros' })
    expect(await readdir(join(service.dataDir, 'datasets'))).toEqual(['plain'])
    expect(await remove(settings, GROUP)).toEqual({ name: "Diretoria D'Oeste" })
    expect((await remove(settings, UNKNOWN)).reason).toContain('Nenhum relatório')
    expect((await remove(settings, PLAIN_REPORT.toUpperCase())).name).toBe('Simples')
  })
})

describe('an interrupted publication', () => {
  test('an interrupted publication leaves the old or the new state (every third place; the long tests try them all)', async () => {
    expect(await outcomesOfCrashes(3)).toEqual(OLD_OR_NEW)
  }, 60_000)

  test('an interrupted publication blocks the next one only while its process is alive', async () => {
    const dataDir = await dataFolder()
    await author({ 'workspace.json': { id: GROUP, name: 'W' } })
    await mkdir(join(dataDir, '.publicacao'))
    const lock = join(dataDir, '.publicacao/trava')
    const { hostname } = await import('node:os')
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
    const leave = (pid: number, since = boot) =>
      writeFile(lock, JSON.stringify({ pid, host: hostname(), boot: since }))
    await leave(process.ppid)
    await expect(publish({ dataDir, memoryMegabytes }, folder)).rejects.toThrow(
      'Outra publicação está em andamento',
    )
    // A running service takes the lock for a moment when it sees a publication.
    const waiting = publish({ dataDir, memoryMegabytes }, folder)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await rm(lock)
    expect((await waiting).faults).toEqual([])
    const goesOn = async () =>
      expect((await publish({ dataDir, memoryMegabytes }, folder)).faults).toEqual([])
    await leave(2 ** 22 + 1)
    await goesOn()
    // The machine was rebooted, and another process has the pid now.
    await leave(process.ppid, 'before')
    await goesOn()
    // As in a container, where every start has the same pid.
    await leave(process.pid)
    await goesOn()
    // A power failure interrupted the write.
    await writeFile(lock, '')
    const longAgo = new Date(Date.now() - 60_000)
    await utimes(lock, longAgo, longAgo)
    await goesOn()
  })
})
