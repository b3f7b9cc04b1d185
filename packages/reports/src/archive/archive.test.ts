import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { type IncomingMessage, get as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fixtureFiles, REPORT, serviceWith, writeFiles } from '../../test/fixture.ts'
import { unpackedArchive } from '../../test/unpacked-archive.ts'
import { DRAFTS_DIR } from '../authoring/drafts/files/draft-files.ts'
import { withPublicationLock } from '../authoring/publish/publication.ts'
import { PLAN_FILE } from '../authoring/publish/publication-mark.ts'
import { publish } from '../authoring/publish/publish.ts'
import { PUBLICATION_DIR } from '../definitions/publication-dir.ts'

/*
 * The kind of fault: what only one process can read is left out of a backup that another makes.
 * Looked for in everything the service writes: definitions, data, versions and credentials are in
 * the archive; locks, drafts, exports and sign-ins end by themselves.
 */

type TestService = Awaited<ReturnType<typeof serviceWith>>
const ARCHIVE_SCOPE = 'urn:bi-manager:archive/.default'
const archiveToken = async ({ oauth, clientForm }: TestService) => {
  const answer = await oauth({ ...clientForm, scope: ARCHIVE_SCOPE })
  return answer.json().access_token as string
}
/** Calls the archive through a socket, and returns the answer with its unread body. */
const open = async (service: TestService): Promise<IncomingMessage> => {
  const authorization = `Bearer ${await archiveToken(service)}`
  if (!service.app.server.listening) await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as AddressInfo
  const request = send({ port, host: '127.0.0.1', path: '/v1.0/myorg/archive', headers: { authorization } })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return answer
}
/** Not `rest`: the call is the service's own, and Microsoft's description does not have it. */
const answerOf = ({ app }: TestService, token: string) =>
  app.inject({ url: '/v1.0/myorg/archive', headers: { authorization: `Bearer ${token}` } })
const snapshotsOf = async ({ dataDir }: TestService) =>
  (await readdir(join(dataDir, DRAFTS_DIR))).filter((name) => name.startsWith('trabalho-'))

test('an archive has reports, data, versions and credentials, and nothing that ends by itself', async () => {
  const ending = ['.exportacoes/1.json', '.renovacoes/1', '.publicacao/trava-1', `${DRAFTS_DIR}/1/dados.csv`]
  const version = `.publicacao/versoes/${REPORT}/1.json`
  const files = Object.fromEntries([...ending, version].map((path) => [path, `${path}!`]))
  const service = await serviceWith({ files })
  const answer = await open(service)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/x-tar'])
  const archive = await unpackedArchive(answer)
  expect(Object.keys(archive).sort()).toEqual([...Object.keys(fixtureFiles), 'service.json', version].sort())
  expect(JSON.parse(archive['service.json'] ?? '')).toEqual(service.credentials)
  expect(archive['datasets/claims/claims.csv']).toBe(fixtureFiles['datasets/claims/claims.csv'])
  expect(archive[version]).toBe(`${version}!`)
  const bytes = Object.values(archive).reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  expect(answer.headers['x-archive-bytes']).toBe(String(bytes))
  await vi.waitFor(async () => expect(await snapshotsOf(service)).toEqual([]), 10_000)
})

test('an archive has the data of a folder that is a link to another place', async () => {
  const service = await serviceWith()
  const elsewhere = await mkdtemp(join(tmpdir(), 'reports-elsewhere-'))
  onTestFinished(() => rm(elsewhere, { recursive: true }))
  await rename(join(service.dataDir, 'datasets'), join(elsewhere, 'datasets'))
  await symlink(join(elsewhere, 'datasets'), join(service.dataDir, 'datasets'))
  await service.versions.refresh()
  expect(service.versions.current()?.datasets.size).toBeGreaterThan(0)
  const archive = await unpackedArchive(await open(service))
  expect(archive['datasets/claims/claims.csv']).toBe(fixtureFiles['datasets/claims/claims.csv'])
})

test('an archive has each definition that the service reads through a link, and no other linked file', async () => {
  const service = await serviceWith()
  const { dataDir } = service
  const elsewhere = await mkdtemp(join(tmpdir(), 'reports-elsewhere-'))
  onTestFinished(() => rm(elsewhere, { recursive: true }))
  const linked = ['datasets/claims/dataset.json', 'workspaces/one/workspace.json']
  for (const [index, path] of linked.entries()) {
    await rename(join(dataDir, path), join(elsewhere, String(index)))
    await symlink(join(elsewhere, String(index)), join(dataDir, path))
  }
  await writeFile(join(elsewhere, 'outro'), 'de outra pessoa')
  await symlink(join(elsewhere, 'outro'), join(dataDir, 'datasets/claims/outro.csv'))
  await symlink(join(elsewhere, 'nada'), join(dataDir, 'datasets/nada.json'))
  await mkdir(join(dataDir, 'workspaces/three'))
  await symlink(join(elsewhere, 'nada'), join(dataDir, 'workspaces/three/workspace.json'))
  await service.versions.refresh()
  expect(service.versions.current()?.reports.has(REPORT)).toBe(true)
  const archive = await unpackedArchive(await open(service))
  expect(Object.keys(archive).sort()).toEqual([...Object.keys(fixtureFiles), 'service.json'].sort())
  for (const path of linked) expect(JSON.parse(archive[path] ?? '')).toEqual(fixtureFiles[path])
})

test('an archive is for the portal alone: no other application, user, scope or token', async () => {
  const other = { clientId: randomUUID(), clientSecret: 'outro-segredo-de-outro-programa' }
  const first = await serviceWith()
  const { credentials } = first
  const service = await serviceWith({
    files: {
      'service.json': { ...credentials, applications: [...credentials.applications, other] },
    },
  })
  const refusal = async (form: Record<string, string>) => {
    const answer = await service.oauth(form)
    return [answer.statusCode, answer.json().error]
  }
  const { client_secret: _, ...publicForm } = service.clientForm
  const [user] = credentials.users
  const userForm = { ...service.clientForm, grant_type: 'password', ...user }
  expect(await refusal({ ...publicForm, scope: ARCHIVE_SCOPE })).toEqual([401, 'invalid_client'])
  expect(await refusal({ ...userForm, scope: ARCHIVE_SCOPE })).toEqual([400, 'invalid_scope'])
  const others = { ...service.clientForm, client_id: other.clientId, client_secret: other.clientSecret }
  expect(await refusal({ ...others, scope: ARCHIVE_SCOPE })).toEqual([400, 'unauthorized_client'])
  const both = `${ARCHIVE_SCOPE} https://analysis.windows.net/powerbi/api/.default`
  expect(await refusal({ ...service.clientForm, scope: both })).toEqual([400, 'invalid_scope'])
  // The other application works as before.
  expect((await service.oauth(others)).statusCode).toBe(200)

  const token = await archiveToken(service)
  expect((await service.rest(token, 'GET', '/groups')).statusCode).toBe(403)
  expect((await answerOf(service, token)).statusCode).toBe(200)
  service.clock.now += 121_000
  expect((await answerOf(service, token)).json().error.code).toBe('TokenExpired')
  // The token of an application that is no longer the first one.
  const replaced = await serviceWith({
    files: {
      'service.json': { ...credentials, applications: [other, ...credentials.applications] },
    },
  })
  expect((await answerOf(replaced, await archiveToken(first))).statusCode).toBe(403)
})

// Kind: a method that the router adds by itself does the work of another.
test('an archive takes no snapshot for HEAD', async () => {
  const service = await serviceWith()
  const authorization = `Bearer ${await archiveToken(service)}`
  const call = { method: 'HEAD' as const, url: '/v1.0/myorg/archive', headers: { authorization } }
  const { statusCode, headers } = await service.app.inject(call)
  expect([statusCode, headers['x-archive-bytes']]).toEqual([404, undefined])
  expect(await readdir(service.dataDir)).not.toContain(PUBLICATION_DIR)
})

/** A folder whose dataset, data and report all say the same number. */
const numbered = async (folder: string, number: number) => {
  const named = (path: string) => ({ ...(fixtureFiles[path] as object), name: `Versão ${number}` })
  await writeFiles(folder, {
    'datasets/claims/dataset.json': named('datasets/claims/dataset.json'),
    'datasets/claims/claims.csv': `${fixtureFiles['datasets/claims/claims.csv']}${number + 100},CNU,,1,2024-01-05,true,\n`,
    'datasets/claims/access.csv': fixtureFiles['datasets/claims/access.csv'] ?? '',
    'workspaces/one/workspace.json': fixtureFiles['workspaces/one/workspace.json'] ?? '',
    'workspaces/one/claims.json': named('workspaces/one/claims.json'),
  })
}
const numbersIn = (archive: Record<string, string>) => {
  const textOf = (end: RegExp) => Object.entries(archive).find(([path]) => end.test(path))?.[1] ?? ''
  const reports = Object.entries(archive).filter(
    ([path, text]) => path.startsWith('workspaces/') && text.includes(`"${REPORT}"`),
  )
  return [
    ...[textOf(/^datasets\/.*dataset\.json$/), ...reports.map(([, text]) => text)].map(
      (text) => /"Versão (\d+)"/.exec(text)?.[1],
    ),
    String(Number(/(\d+),CNU,,1,2024-01-05,true,\n$/.exec(textOf(/claims\.csv$/))?.[1]) - 100),
  ]
}

test('an archive has one published version while publications go on', { timeout: 180_000 }, async () => {
  const service = await serviceWith()
  const { dataDir } = service
  const folder = await mkdtemp(join(tmpdir(), 'reports-numbered-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const publishNumber = async (number: number) => {
    await numbered(folder, number)
    const { faults } = await publish({ dataDir, memoryMegabytes: 256 }, folder)
    expect(faults).toEqual([])
  }
  await publishNumber(1)
  let isPublishing = true
  const publishing = (async () => {
    for (let number = 2; number <= 4; number++) await publishNumber(number)
    isPublishing = false
  })()
  const seen: string[] = []
  while (isPublishing) {
    const numbers = new Set(numbersIn(await unpackedArchive(await open(service))))
    expect([...numbers]).toEqual([expect.stringMatching(/^\d$/)])
    seen.push(...(numbers as Set<string>))
  }
  await publishing
  expect(new Set(seen).size).toBeGreaterThan(1)
})

test('an archive waits for a publication whose files are only half in place', {
  timeout: 60_000,
}, async () => {
  const service = await serviceWith()
  const { dataDir } = service
  const aside = join(dataDir, PUBLICATION_DIR, 'nova-1')
  await withPublicationLock(dataDir, async () => {
    await numbered(aside, 7)
    const place = ['datasets/claims/dataset.json', 'datasets/claims/claims.csv', 'workspaces/one/claims.json']
    await writeFile(
      join(dataDir, PUBLICATION_DIR, PLAN_FILE),
      JSON.stringify({ folder: 'nova-1', place, remove: [] }),
    )
    await rename(join(aside, place[0] ?? ''), join(dataDir, place[0] ?? ''))
    const opening = open(service)
    // Time for an answer that would not wait.
    await vi.waitFor(async () => expect(await snapshotsOf(service)).toHaveLength(1), 10_000)
    expect((await service.rest(await service.entraToken(), 'GET', '/groups')).statusCode).toBe(200)
    return { opening }
  }).then(async ({ opening }) => {
    expect(numbersIn(await unpackedArchive(await opening))).toEqual(['7', '7', '7'])
  })
})

/** More than the buffers between the service and an unread answer. */
const LARGE = 64 * 1024 * 1024

test('an archive is unaffected by a publication, and leaves nothing behind when its reader goes away', async () => {
  const service = await serviceWith({ files: { 'datasets/large/z.bin': 'x'.repeat(LARGE) } })
  const answer = await open(service)
  await rm(join(service.dataDir, 'datasets/large/z.bin'))
  const archive = await unpackedArchive(answer)
  expect(archive['datasets/large/z.bin']?.length).toBe(LARGE)
  await mkdir(join(service.dataDir, 'datasets/more'))
  await writeFile(join(service.dataDir, 'datasets/more/z.bin'), 'x'.repeat(LARGE))
  const unread = await open(service)
  expect(await snapshotsOf(service)).toHaveLength(1)
  unread.destroy()
  await vi.waitFor(async () => expect(await snapshotsOf(service)).toEqual([]), 10_000)
})

test('an archive breaks off when a file is edited in place while it is sent', async () => {
  const service = await serviceWith({
    files: { 'datasets/large/z.bin': 'x'.repeat(LARGE), 'workspaces/z.txt': 'inteiro' },
  })
  const answer = await open(service)
  await truncate(join(service.dataDir, 'workspaces/z.txt'), 2)
  await expect(unpackedArchive(answer)).rejects.toThrow()
})
