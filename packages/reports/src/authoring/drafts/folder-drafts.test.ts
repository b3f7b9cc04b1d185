import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DATA_EXTENSIONS } from '@bi-manager/contract/data-files'
import { describe, expect, test } from 'vitest'
import {
  CLAIMS,
  claimsDataset,
  PLAIN,
  plainReport,
  REPORT,
  type Service,
  serviceWith,
  UNKNOWN,
} from '../../../test/fixture.ts'
import { workbookOf } from '../../../test/workbooks.ts'
import { DRAFT_BYTES } from './files/draft-files.ts'
import { MAX_FILES } from './files/folder-draft.ts'

const EXAMPLE = fileURLToPath(new URL('../../../../../docs/manual/exemplos/meu-relatorio', import.meta.url))

const begin = async (service: Service, person = 'ana') => {
  const token = await service.entraToken()
  const headers = { authorization: `Bearer ${token}`, 'x-requested-for': person }
  const post = (path: string, payload: object = {}) =>
    service.app.inject({ method: 'POST', url: `/v1.0/myorg/drafts/folders${path}`, headers, payload })
  const { id } = (await post('', { name: 'meu-relatorio' })).json()
  const add = (path: string, payload: string | Buffer, draft: string = id) =>
    service.app.inject({
      method: 'POST',
      url: `/v1.0/myorg/drafts/folders/${draft}/files?path=${encodeURIComponent(path)}`,
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      payload,
    })
  const act = async (how: 'check' | 'publish', draft: string = id) => (await post(`/${draft}/${how}`)).json()
  return { token, post, id: id as string, add, act }
}

/** Path in the example → content. */
const exampleFiles = async (): Promise<[string, Buffer][]> => {
  const entries = await readdir(EXAMPLE, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(EXAMPLE.length + 1), await readFile(path)] as [string, Buffer]
    }),
  )
}

describe('a folder with definitions', () => {
  test.each([
    ['as it is', ''],
    ['with a folder around it', 'meu-relatorio/'],
  ])('%s is checked and published like by the command line', async (_, around) => {
    const service = await serviceWith()
    const { token, add, act } = await begin(service)
    for (const [path, bytes] of await exampleFiles())
      expect((await add(around + path, bytes)).statusCode).toBe(201)
    const checked = await act('check')
    expect(checked).toMatchObject({ faults: [], remarks: [] })
    const [report] = checked.reports
    expect(report).toMatchObject({ name: 'Atendimentos por unidade', replaces: false })
    const path = `/groups/${report.workspaceId}/reports`
    expect((await service.rest(token, 'GET', path)).statusCode).toBe(404)
    expect(await act('publish')).toEqual(checked)
    const listed = (await service.rest(token, 'GET', path)).json().value
    expect(listed.map(({ id, name }: { id: string; name: string }) => [id, name])).toEqual([
      [report.id, report.name],
    ])
    expect((await act('check')).reports[0].replaces).toBe(true)
  })

  test('a folder with definitions is deleted when its sender discards it, and not by another person', async () => {
    const service = await serviceWith()
    const { id, add } = await begin(service)
    await add('dataset.json', '{}')
    const discard = async (person: string) => {
      const headers = { authorization: `Bearer ${await service.entraToken()}`, 'x-requested-for': person }
      const url = `/v1.0/myorg/drafts/${id}/discard`
      return (await service.app.inject({ method: 'POST', url, headers, payload: {} })).statusCode
    }
    expect(await discard('bia')).toBe(404)
    expect(await discard('ana')).toBe(200)
    expect(await readdir(join(service.dataDir, '.publicacao/rascunhos'))).toEqual([])
  })

  test('a folder with definitions has its faults with file, line and position, as the author named the files', async () => {
    const { add, act, id } = await begin(await serviceWith())
    for (const [path, bytes] of await exampleFiles()) {
      const text = bytes.toString().replace('sum(custo)', 'sum(custos)')
      await add(`meu-relatorio/${path}`, text.replace(/^01\/01\/2026/m, '32/01/2026'))
    }
    const { faults } = await act('publish')
    expect(faults.length).toBeGreaterThan(0)
    for (const fault of faults) expect(fault).toMatch(/^meu-relatorio\/[\w/-]+\.json: /)
    expect(faults.join('\n')).toMatch(/\(linha \d+, coluna \d+\)/)
    expect(faults.join('\n')).not.toContain(id)
  })

  test('a folder with definitions has the beginning of many and long faults', async () => {
    const { add, act } = await begin(await serviceWith())
    const layout = { x: 24, y: 24, width: 400, height: 300 }
    const query = `SELECT "${'a'.repeat(5_000)}" FROM Claims`
    const visuals = Array.from({ length: 10 }, (_, at) => ({
      name: `v${at}`,
      type: 'bar',
      title: 'V',
      layout,
      query,
    }))
    const pages = Array.from({ length: 30 }, (_, at) => ({ name: `p${at}`, displayName: 'P', visuals }))
    await add('area/workspace.json', JSON.stringify({ id: randomUUID(), name: 'Área' }))
    const report = { id: randomUUID(), name: 'R', dataset: CLAIMS, pages }
    await add('area/r.json', JSON.stringify(report))
    const { faults } = await act('check')
    expect(faults).toHaveLength(101)
    expect(faults[0]).toMatch(
      /^area\/r\.json: pages\[0\]\.visuals\[0\]\.query: a coluna a+…a+ não existe.*\(linha \d+, coluna \d+\)$/,
    )
    expect(faults[0].length).toBe(801)
    expect(faults[100]).toBe('E mais 200: corrija estes e confira de novo.')
  })

  test('a folder with definitions says which reports open only with roles afterwards', async () => {
    const { add, act } = await begin(await serviceWith())
    const roles = [{ name: 'um', rows: { Claims: 'x = 1' } }]
    const tables = { Claims: { file: 'c.csv' } }
    await add('plain/dataset.json', JSON.stringify({ id: PLAIN, name: 'Simples', tables, roles }))
    await add('plain/c.csv', 'x\n1\n2\n')
    expect((await act('check')).remarks).toContain(
      'Só abre com papéis de segurança, a partir desta publicação: "Simples" (workspaces/two/plain.json).',
    )
  })

  test('a folder with definitions names the roles that its reports need, also of a dataset that is published already', async () => {
    const { add, act } = await begin(await serviceWith())
    const [own, first, second] = [randomUUID(), randomUUID(), randomUUID()]
    const report = (id: string, dataset: string) => JSON.stringify({ ...plainReport, id, dataset })
    await add('area/workspace.json', JSON.stringify({ id: UNKNOWN, name: 'Área' }))
    await add('area/a.json', report(first, own))
    await add('area/b.json', report(second, CLAIMS))
    const roles = [{ name: 'um', rows: { Claims: 'x = 1' } }]
    const tables = { Claims: { file: 'c.csv' } }
    await add('own/dataset.json', JSON.stringify({ id: own, name: 'Próprio', tables, roles }))
    await add('own/c.csv', 'x\n1\n2\n')
    const { faults, reports } = await act('check')
    expect(faults).toEqual([])
    expect(reports.map(({ roles }: { roles: string[] }) => roles)).toEqual([
      ['um'],
      claimsDataset.roles.map(({ name }) => name),
    ])
  })

  test('a folder with definitions may have an XLSX, as the one that the command line publishes', {
    timeout: 120_000,
  }, async () => {
    const { add, act } = await begin(await serviceWith())
    const rows = [
      ['Unidade', 'Peso'],
      ['A', 3.25],
    ]
    for (const kind of ['xlsx', 'xlsm']) {
      const definition = { id: randomUUID(), name: kind, tables: { Claims: { file: `c.${kind}` } } }
      await add(`pesos-${kind}/dataset.json`, JSON.stringify(definition))
      const answer = await add(`pesos-${kind}/c.${kind}`, workbookOf({ sheets: [{ rows }] }))
      expect([kind, answer.statusCode]).toEqual([kind, 201])
    }
    expect((await act('check')).faults).toEqual([])
  })

  test('a folder without definitions says so', async () => {
    const { add, act } = await begin(await serviceWith())
    await add('v/v.csv', 'a\n1\n')
    expect((await act('check')).faults).toEqual([
      expect.stringMatching(/^v: não há dataset\.json nem workspace\.json/),
    ])
  })
})

describe('a file of a folder', () => {
  test('a file of a folder may be any data file: the check says what is wrong with one', async () => {
    const { add, act } = await begin(await serviceWith())
    const names = DATA_EXTENSIONS.map((extension) => `v/tabela${extension}`)
    const answers = await Promise.all(names.map((path) => add(path, 'a\n1\n')))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(names.map(() => 201))
    const tables = { V: { file: 'tabela.csv' }, W: { file: 'tabela.ods' } }
    await add('v/dataset.json', JSON.stringify({ id: UNKNOWN, name: 'V', tables }))
    expect((await act('check')).faults).toEqual([
      expect.stringMatching(/^v\/dataset\.json: .*salve outras planilhas como XLSX/),
    ])
  })

  test('a file of a folder is refused at a path that leads elsewhere', async () => {
    const service = await serviceWith()
    const { add, id } = await begin(service)
    for (const path of [
      '../fora.json',
      'a/../../fora.json',
      'a/../b.json',
      '/etc/x.json',
      'a//b.json',
      '..',
    ]) {
      const answer = await add(path, '{}')
      expect([path, answer.statusCode, answer.json().error.code]).toEqual([path, 415, 'PathOutsideFolder'])
    }
    const content = join(service.dataDir, '.publicacao/rascunhos', id, 'enviado')
    expect(await readdir(content)).toEqual([])
  })

  test('a file of a folder is refused at a path that the data folder cannot have', async () => {
    const service = await serviceWith()
    const { add, id } = await begin(service)
    const paths = [
      'a\\b.json',
      '.publicacao/plano.json',
      'a/.oculto.json',
      'a/[b].csv',
      'a/b\u0000.json',
      'a/b\n.json',
      'a/b.exe',
      'a/b',
      'a/b/c/d/e.json',
      `${'x'.repeat(121)}/a.json`,
      ' a/b.json',
    ]
    for (const path of paths) {
      const answer = await add(path, '{}')
      expect([path, answer.statusCode, answer.json().error.code]).toEqual([path, 415, 'UnsupportedPath'])
    }
    const content = join(service.dataDir, '.publicacao/rascunhos', id, 'enviado')
    expect(await readdir(content)).toEqual([])
  })

  test('a file of a folder replaces no other, and cannot be a folder too', async () => {
    const { add } = await begin(await serviceWith())
    const answers = [
      await add('a/b.json', '{}'),
      await add('a/b.json', '[]'),
      await add('a/b.json/c.json', '{}'),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 415, 415])
  })

  test('a file of a folder is refused when files that arrive together are too many bytes', async () => {
    const service = await serviceWith()
    const { add, id } = await begin(service)
    const half = Buffer.alloc(DRAFT_BYTES / 2 + 1)
    const answers = await Promise.all(['a/x.csv', 'a/y.csv', 'a/z.csv'].map((path) => add(path, half)))
    expect(answers.filter(({ statusCode }) => statusCode === 201).length).toBeLessThanOrEqual(1)
    const content = join(service.dataDir, '.publicacao/rascunhos', id, 'enviado/a')
    expect((await readdir(content)).length).toBeLessThanOrEqual(1)
  })

  test('a file of a folder is refused when there are too many, or too many bytes', async () => {
    const { add, act } = await begin(await serviceWith())
    expect((await add('a/x.csv', Buffer.alloc(DRAFT_BYTES - 10))).statusCode).toBe(201)
    expect((await add('a/y.csv', Buffer.alloc(11))).statusCode).toBe(413)
    for (let count = 1; count < MAX_FILES; count++) await add(`a/${count}.json`, '')
    expect((await add('a/y.json', '')).statusCode).toBe(413)
    expect((await act('check')).faults).not.toEqual([])
  })

  test('a file of a folder is accepted only of the person who sent the folder, with a known id', async () => {
    const service = await serviceWith()
    const { id } = await begin(service)
    const other = await begin(service, 'bia')
    expect((await other.add('a/b.json', '{}', id)).json().error.code).toBe('DraftNotFound')
    expect((await other.act('check', id)).error.code).toBe('DraftNotFound')
    for (const draft of [UNKNOWN, '..', REPORT])
      expect((await other.add('a/b.json', '{}', draft)).statusCode).toBe(404)
    expect((await other.post(`/${other.id}/files?path=a/b.json`, { a: 1 })).statusCode).toBe(400)
    expect((await other.post('', { name: '' })).statusCode).toBe(400)
  })
})
