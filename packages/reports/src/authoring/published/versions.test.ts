import { execFileSync } from 'node:child_process'
import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  claimsDataset,
  type Files,
  GROUP,
  OTHER_GROUP,
  PLAIN,
  PLAIN_REPORT,
  plainReport,
  REPORT,
  type Service,
  serviceWith,
  UNKNOWN,
  visual,
  writeFiles,
} from '../../../test/fixture.ts'
import { publish, remove } from '../publish/publish.ts'
import { readVersion, versionsFolder } from '../versions/version-files.ts'
import { findPublished } from './find-published.ts'
import { restoreVersion } from './restore-version.ts'

const begin = async () => {
  const service = await serviceWith({ options: { watchMs: 50 } })
  const { dataDir, clock } = service
  const token = await service.entraToken()
  const call = (method: 'GET' | 'POST', path: string, payload?: object) =>
    service.app.inject({
      method,
      url: `/v1.0/myorg/publications${path}`,
      headers: { authorization: `Bearer ${token}` },
      ...(payload && { payload }),
    })
  const publishFiles = async (files: Files, author = 'ana') => {
    const folder = await mkdtemp(join(tmpdir(), 'autor-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFiles(folder, files)
    const settings = { dataDir, memoryMegabytes: 256, now: () => clock.now }
    const { faults } = await publish(settings, folder, { author, origin: 'command' })
    clock.now += 60_000
    await service.versions.refresh()
    return faults
  }
  const versionsOf = async (id: string) => (await call('GET', `/${id}/versions`)).json().value
  const restore = (id: string, number: number | string, withData: boolean) =>
    call('POST', `/${id}/versions/${number}/restore`, { withData, author: 'Bia' })
  return { service, dataDir, call, publishFiles, versionsOf, restore }
}
/** Returns what the plain report shows: the number of rows. */
const rowsShown = async (service: Service) => {
  const token = await service.entraToken()
  const path = `/groups/${OTHER_GROUP}/reports/${PLAIN_REPORT}/GenerateToken`
  const embed = (await service.rest(token, 'POST', path, { accessLevel: 'View' })).json().token
  const { visuals } = (await service.data(embed, [], 'Main', PLAIN_REPORT)).json()
  return visuals.n.rows[0][0]
}

const plainData = (rows: number) => ({
  'd/dataset.json': { id: PLAIN, name: 'Simples', tables: { Claims: { file: 'c.csv' } } },
  'd/c.csv': `x\n${'1\n'.repeat(rows)}`,
})
const workspace = { 'w/workspace.json': { id: OTHER_GROUP, name: 'Outro' } }
const withVisual = {
  ...plainReport,
  pages: [
    {
      ...plainReport.pages[0],
      visuals: [...(plainReport.pages[0]?.visuals ?? []), visual('m', 'SELECT 1 AS m')],
    },
  ],
}

describe('a publication of the command line', () => {
  test('a publication of the command line keeps a version of each report that changes, with author, time and changes', async () => {
    const { publishFiles, versionsOf, call } = await begin()
    expect(await publishFiles({ ...workspace, 'w/plain.json': withVisual })).toEqual([])
    expect(await publishFiles(plainData(5_000), 'rui')).toEqual([])
    expect(await publishFiles(plainData(5_000))).toEqual([])
    const versions = await versionsOf(PLAIN_REPORT)
    expect(versions).toEqual([
      {
        number: 3,
        at: '2026-03-01T12:01:00.000Z',
        author: 'rui',
        origin: 'command',
        data: 'current',
        changes: ['Dados substituídos (5.000 linhas)'],
      },
      {
        number: 2,
        at: '2026-03-01T12:00:00.000Z',
        author: 'ana',
        origin: 'command',
        data: 'kept',
        changes: ['Definição alterada: 1 visual novo'],
      },
      {
        number: 1,
        at: expect.any(String),
        author: '',
        origin: 'folder',
        data: 'kept',
        changes: ['Publicado antes de haver versões'],
      },
    ])
    expect(await versionsOf(REPORT)).toEqual([])

    const listed = (await call('GET', '')).json().value
    expect(listed.find(({ id }: { id: string }) => id === PLAIN_REPORT)).toMatchObject({
      name: 'Simples',
      workspace: { id: OTHER_GROUP, name: 'Outro' },
      versions: 3,
      last: { number: 3, author: 'rui', changes: ['Dados substituídos (5.000 linhas)'] },
    })
    expect(listed.find(({ id }: { id: string }) => id === REPORT)).toMatchObject({ versions: 0, last: null })
  })

  test('a publication of the command line also keeps what was edited in the data folder since the last version', async () => {
    const { dataDir, publishFiles, versionsOf } = await begin()
    await publishFiles(plainData(5))
    await writeFile(join(dataDir, 'datasets/plain/c.csv'), 'x\n1\n')
    await publishFiles(plainData(7))
    const stored = [3, 4].map((number) => readVersion(dataDir, PLAIN_REPORT, number))
    // Data alone, so that it does not push out versions with other definitions.
    expect((await Promise.all(stored)).map((one) => one?.isDataOnly)).toEqual([true, true])
    const changes = (await versionsOf(PLAIN_REPORT)).map((one: { changes: string[]; data: string }) => [
      one.changes[0],
      one.data,
    ])
    expect(changes).toEqual([
      ['Dados substituídos (7 linhas)', 'current'],
      ['Alterado na pasta de dados, sem publicação', 'kept'],
      // The edit has overwritten the five rows.
      ['Dados substituídos (5 linhas)', 'none'],
      ['Publicado antes de haver versões', 'kept'],
    ])
  })

  test('a publication of the command line with a fault keeps no version', async () => {
    const { publishFiles, versionsOf, dataDir } = await begin()
    const pages = [{ ...plainReport.pages[0], visuals: [visual('n', 'SELECT y FROM Claims')] }]
    expect(await publishFiles({ ...workspace, 'w/plain.json': { ...plainReport, pages } })).not.toEqual([])
    expect(await versionsOf(PLAIN_REPORT)).toEqual([])
    await expect(access(join(dataDir, versionsFolder(PLAIN_REPORT)))).rejects.toThrow('ENOENT')
  })

  test('a publication of the command line succeeds over a data folder with a missing or unusual file', async () => {
    const { dataDir, publishFiles, versionsOf } = await begin()
    await rm(join(dataDir, 'datasets/plain/c.csv'))
    execFileSync('mkfifo', [join(dataDir, 'datasets/plain/c.csv')])
    expect(await publishFiles(plainData(2))).toEqual([])
    expect((await versionsOf(PLAIN_REPORT))[0].changes).toEqual(['Publicado pela primeira vez'])
  })
})

describe('restoring a version', () => {
  test('a restoration brings the definition and its data back, as a new version', async () => {
    const { service, dataDir, publishFiles, versionsOf, restore } = await begin()
    await publishFiles({ ...workspace, 'w/plain.json': withVisual })
    await publishFiles(plainData(5))
    expect(await rowsShown(service)).toBe(5)
    expect((await restore(PLAIN_REPORT, 1, true)).json()).toMatchObject({ faults: [], remarks: [] })
    expect(await rowsShown(service)).toBe(2)
    const versions = await versionsOf(PLAIN_REPORT)
    expect(versions[0]).toMatchObject({
      number: 4,
      author: 'Bia',
      origin: 'portal',
      changes: ['Versão 1 restaurada, com os dados'],
    })
    const shown = JSON.parse(await readFile(join(dataDir, 'workspaces/two/plain.json'), 'utf8'))
    expect(shown.pages[0].visuals).toHaveLength(1)
    // The restored one can be undone.
    expect((await restore(PLAIN_REPORT, 3, true)).json().faults).toEqual([])
    expect(await rowsShown(service)).toBe(5)
    expect(await readdir(join(dataDir, '.publicacao/rascunhos'))).toEqual([])
  })

  test('a restoration keeps the data of today when only the definition is asked for', async () => {
    const { service, publishFiles, versionsOf, restore } = await begin()
    await publishFiles({ ...workspace, 'w/plain.json': withVisual })
    await publishFiles(plainData(5))
    expect((await restore(PLAIN_REPORT, 1, false)).json().faults).toEqual([])
    expect(await rowsShown(service)).toBe(5)
    expect((await versionsOf(PLAIN_REPORT))[0].changes).toEqual(['Versão 1 restaurada, sem os dados'])
  })

  test('a restoration publishes nothing when the definition does not fit the data of today', async () => {
    const { service, publishFiles, versionsOf, restore } = await begin()
    await publishFiles(plainData(5))
    const pages = [{ ...plainReport.pages[0], visuals: [visual('n', 'SELECT count(y) AS n FROM Claims')] }]
    const other = { ...plainData(1), 'd/c.csv': 'y\n1\n' }
    expect(await publishFiles({ ...workspace, ...other, 'w/plain.json': { ...plainReport, pages } })).toEqual(
      [],
    )
    expect(await publishFiles({ ...workspace, ...plainData(3), 'w/plain.json': plainReport })).toEqual([])
    const { faults } = (await restore(PLAIN_REPORT, 3, false)).json()
    expect(faults[0]).toMatch(/^Relatório: pages\[0\]\.visuals\[0\]\.query: a coluna y não existe/)
    expect([await rowsShown(service), (await versionsOf(PLAIN_REPORT)).length]).toEqual([3, 4])
  })

  test('a restoration never restores data with row-level security, or of several reports', async () => {
    const { dataDir, publishFiles, versionsOf, restore } = await begin()
    const claims = (more: object = {}) => ({
      'd/dataset.json': { ...claimsDataset, ...more },
      'd/claims.csv':
        'id,operadora,sexo,valor,dia,pago,hora\n7,CNU,x,1,2024-01-05,true,2024-01-05 10:00:00\n',
      'd/access.csv': 'email,operadora\nx,y\n',
    })
    expect(await publishFiles(claims())).toEqual([])
    expect((await versionsOf(REPORT)).map(({ data }: { data: string }) => data)).toEqual(['current', 'none'])
    expect((await restore(REPORT, 1, true)).json().faults).toEqual([
      'Os dados da versão 1 não podem mais ser restaurados.',
    ])
    await expect(access(join(dataDir, versionsFolder(REPORT), 'dados'))).rejects.toThrow('ENOENT')
    // Data from a time before the roles would be open to all.
    await publishFiles(plainData(5))
    const roles = [{ name: 'um', rows: { Claims: 'x = 1' } }]
    const closed = {
      ...plainData(6),
      'd/dataset.json': { id: PLAIN, name: 'S', tables: { Claims: { file: 'c.csv' } }, roles },
    }
    expect(await publishFiles(closed)).toEqual([])
    expect((await versionsOf(PLAIN_REPORT)).map(({ data }: { data: string }) => data)).toEqual([
      'current',
      'none',
      'none',
    ])
    expect((await restore(PLAIN_REPORT, 1, true)).json().faults).toHaveLength(1)
    const dataset = await readFile(join(dataDir, 'datasets/plain/dataset.json'), 'utf8')
    expect(JSON.parse(dataset).roles).toEqual(roles)
  })

  test('a restoration is refused when the version uses another dataset', async () => {
    const { publishFiles, versionsOf, restore } = await begin()
    const other = { ...plainReport, dataset: UNKNOWN }
    const otherData = {
      'o/dataset.json': { id: UNKNOWN, name: 'Outro', tables: { Claims: { file: 'c.csv' } } },
      'o/c.csv': 'x\n1\n',
    }
    await publishFiles(plainData(5))
    expect(await publishFiles({ ...workspace, ...otherData, 'w/plain.json': other })).toEqual([])
    const before = await versionsOf(PLAIN_REPORT)
    expect(before[1].data).toBe('none')
    expect((await restore(PLAIN_REPORT, before[1].number, false)).json().faults).toEqual([
      expect.stringMatching(/^A versão 2 usa outro conjunto de dados/),
    ])
    expect(await versionsOf(PLAIN_REPORT)).toEqual(before)
  })

  test('a restoration is refused when another publication has changed the report first', async () => {
    const { dataDir, publishFiles, versionsOf } = await begin()
    await publishFiles(plainData(5))
    await publishFiles(plainData(6))
    const published = await findPublished(dataDir, PLAIN_REPORT)
    const version = await readVersion(dataDir, PLAIN_REPORT, 2)
    expect([published, version]).not.toContain(undefined)
    if (!published || !version) return
    const roles = [{ name: 'um', rows: { Claims: 'x = 1' } }]
    const tables = { Claims: { file: 'c.csv' } }
    await publishFiles({ ...plainData(6), 'd/dataset.json': { id: PLAIN, name: 'S', tables, roles } })
    const settings = { dataDir, memoryMegabytes: 256 }
    const restored = await restoreVersion(settings, published, version, { withData: true, author: 'Bia' })
    expect(restored.faults[0]).toMatch(/^O relatório foi publicado por outra pessoa neste instante/)
    expect((await versionsOf(PLAIN_REPORT))[0].number).toBe(4)
  })

  test('a restoration needs a token, a known report and a known version', async () => {
    const { service, publishFiles, restore, call } = await begin()
    await publishFiles(plainData(5))
    for (const answer of [
      await restore(PLAIN_REPORT, 9, false),
      await restore(PLAIN_REPORT, '..%2f1', false),
      await restore(UNKNOWN, 1, false),
      await restore('..%2f..%2fservice', 1, false),
      await call('GET', `/${GROUP}/versions`),
    ])
      expect(answer.statusCode).toBe(404)
    expect((await call('POST', `/${PLAIN_REPORT}/versions/1/restore`, {})).statusCode).toBe(400)
    expect((await service.app.inject('/v1.0/myorg/publications')).statusCode).toBe(401)
  })
})

test('removing a report removes its versions', async () => {
  const { dataDir, publishFiles } = await begin()
  await publishFiles(plainData(5))
  await access(join(dataDir, versionsFolder(PLAIN_REPORT), 'dados'))
  await remove({ dataDir, memoryMegabytes: 256 }, PLAIN_REPORT)
  await expect(access(join(dataDir, versionsFolder(PLAIN_REPORT)))).rejects.toThrow('ENOENT')
})
