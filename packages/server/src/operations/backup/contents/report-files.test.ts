import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { packTar } from 'modern-tar'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../../../test/database/test-database.ts'
import { createConnection } from '../../../../test/reports.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { makeBackup } from '../archive/make-backup.ts'
import { restoreInto } from '../restore/restore-backup.ts'
import { restoreReports } from '../restore/restore-reports.ts'
import { nameOf } from '../targets/backup-target.ts'
import { readManifest } from './manifest.ts'
import { backUp, describeMissing } from './write-backup.ts'

/*
 * The kind of fault: a backup that lacks something looks like one that has it. Looked for in the
 * sentence, the exit, the manifest, the audit trail and the retention. scripts/vitest runs the real
 * report service; here, one that breaks off or sends what it must not.
 */

const app = useTestApp({}, { alone: true })
const folder = mkdtempSync(join(tmpdir(), 'bi-manager-report-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => rmSync(join(app.dataDir, 'reports'), { recursive: true, force: true }))

/** What the service answers to the archive call, after a token. */
let archive: { bytes: Uint8Array; isCutShort?: boolean; refusal?: object }
let service: Server
let address: string
beforeAll(async () => {
  service = createServer((request, response) => {
    if (request.method === 'POST') {
      const refusal = archive.refusal
      response.writeHead(refusal ? 400 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(refusal ?? { access_token: 'token', expires_in: 120 }))
      return
    }
    response.writeHead(200, { 'content-type': 'application/x-tar', 'x-archive-bytes': '9' })
    response.write(archive.bytes, () => (archive.isCutShort ? response.destroy() : response.end()))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
afterAll(() => service.close())

const clientId = '6b0f7c4e-9f0e-4c3e-8f38-2d5d7a1f0c11'
const credentials = JSON.stringify({ applications: [{ clientId, clientSecret: 'segredo' }] })
const connect = (fields: Parameters<typeof createConnection>[1] = {}) =>
  createConnection(app, {
    nome: 'Local',
    username: clientId,
    provedor: 'local',
    tipoCredencial: 'service_principal' as const,
    applicationId: null,
    tenantId: null,
    ...fields,
  })
const write = (files: Record<string, string>) => {
  for (const [path, text] of Object.entries(files)) {
    const file = join(app.dataDir, 'reports', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
/** A port on which nothing answers. */
const silent = 'http://127.0.0.1:9'
const configAt = (api: string) => {
  const settings = { DATA_DIR: app.dataDir, DATABASE_URL: app.databaseUrl ?? '', REPORTS_INTERNAL_URL: api }
  const { bi, localServiceFile } = loadConfig(settings)
  return { ...app.services.config, bi, localServiceFile }
}
let copies = 0
const backUpAt = async (api: string) => {
  copies += 1
  const copy = join(folder, `copia-${copies}`)
  const said: string[] = []
  const { relatorios } = await backUp(app.db, configAt(api), copy, (sentence) => said.push(sentence))
  return { copy, said: said.join('\n'), relatorios }
}
const actions = async () => {
  const rows = await app.db
    .selectFrom('auditoria')
    .select('acao')
    .where('acao', 'like', 'backup.%')
    .orderBy('idAuditoria')
    .execute()
  return rows.map(({ acao }) => acao)
}
const tarOf = (files: Record<string, string>) =>
  packTar(
    Object.entries(files).map(([name, body]) => ({
      header: { name, size: Buffer.byteLength(body) },
      body,
    })),
  )
const whole = {
  'service.json': credentials,
  'workspaces/a/workspace.json': '{}',
  'workspaces/a/r.json': '{}',
}

describe('a backup with a local connection', () => {
  beforeEach(() => connect())

  test('a backup with a local connection takes what the service sends, after an audit line, and counts the connections', async () => {
    await connect({ nome: 'Segunda' })
    archive = { bytes: await tarOf(whole) }
    const { copy, said, relatorios } = await backUpAt(address)
    expect(relatorios).toEqual({ origem: 'servico', relatorios: 1, conjuntos: 0 })
    expect(said).toContain('Há 2 conexões com provedor Local, todas com o serviço em')
    expect(said).toContain(
      `1 relatório e 0 conjuntos de dados, do serviço em ${address}, pela conexão Local.`,
    )
    expect(readFileSync(join(copy, 'keys/reports/service.json'), 'utf8')).toBe(credentials)
    expect(await actions()).toEqual(['backup.reports-read', 'backup.created'])
  })

  test('a backup with a local connection is incomplete, and says so, when the service does not answer', async () => {
    const { copy, said, relatorios } = await backUpAt(silent)
    expect(relatorios).toBeNull()
    expect(said).toMatch(/Cópia INCOMPLETA: .* em http:\/\/127.0.0.1:9 não respondeu: inicie-o/)
    expect(readManifest(copy).manifest.relatorios).toBeNull()
    expect(await actions()).toEqual(['backup.reports-read', 'backup.incomplete'])
  })

  test.each([
    ['invalid_scope', 'atualize-o'],
    ['unauthorized_client', 'só para o primeiro aplicativo de service.json'],
    ['invalid_client', 'recusou a conexão Local'],
  ])('a backup is incomplete, with the reason, when the service refuses with %s', async (error, reason) => {
    archive = { bytes: new Uint8Array(), refusal: { error } }
    // A folder does not replace a service that answers.
    write({ 'service.json': credentials })
    const { said, relatorios } = await backUpAt(address)
    expect([relatorios, said]).toEqual([null, expect.stringContaining(reason)])
  })

  test.each([
    ['breaks off', async () => ({ bytes: (await tarOf(whole)).subarray(0, 1_100), isCutShort: true })],
    ['ends too early', async () => ({ bytes: (await tarOf(whole)).subarray(0, 700) })],
    ['sends no credentials', async () => ({ bytes: await tarOf({ 'a.json': '{}' }) })],
    ['sends a path that leads outside', async () => ({ bytes: await tarOf({ ...whole, '../fora': 'x' }) })],
    [
      'sends a path that is not plain',
      async () => ({ bytes: await tarOf({ ...whole, './service.json': 'x' }) }),
    ],
  ])('a backup is incomplete, and keeps no half, when the service %s', async (_how, answer) => {
    archive = await answer()
    const { copy, said, relatorios } = await backUpAt(address)
    expect([relatorios, said]).toEqual([null, expect.stringMatching(/INCOMPLETA: .* parou no meio/)])
    const left = readdirSync(copy, { recursive: true }).map(String)
    expect(left.filter((path) => path.includes('reports'))).toEqual([])
    expect(existsSync(join(folder, 'fora'))).toBe(false)
  })

  test('a backup with a local connection reads the folder of the stopped service, and not a forgotten one of another service', async () => {
    write({ ...whole, '.exportacoes/1.json': '{}', '.publicacao/versoes/r/1.json': '{}' })
    const own = await backUpAt(silent)
    expect(own.relatorios).toEqual({ origem: 'pasta', relatorios: 1, conjuntos: 0 })
    expect(own.said).toMatch(/não respondeu: os relatórios vêm da pasta .*reports/)
    expect(existsSync(join(own.copy, 'files/reports/.publicacao/versoes/r/1.json'))).toBe(true)
    expect(existsSync(join(own.copy, 'files/reports/.exportacoes'))).toBe(false)
    write({ 'service.json': credentials.replace('6b0f7c4e', '00000000') })
    expect((await backUpAt(silent)).relatorios).toBeNull()
  })

  test('a backup with a local connection reads the folder of the stopped service also where its data are a link to another place', async () => {
    write(whole)
    const [workspaces, elsewhere] = [join(app.dataDir, 'reports/workspaces'), join(folder, 'em-outro-disco')]
    cpSync(workspaces, elsewhere, { recursive: true })
    rmSync(workspaces, { recursive: true })
    symlinkSync(elsewhere, workspaces)
    const { copy, relatorios } = await backUpAt(silent)
    expect(relatorios).toEqual({ origem: 'pasta', relatorios: 1, conjuntos: 0 })
    expect(readFileSync(join(copy, 'files/reports/workspaces/a/r.json'), 'utf8')).toBe('{}')
  })

  test('a backup with a local connection does not read a folder in which a publication is half in place', async () => {
    write({ ...whole, '.publicacao/plano.json': '{}' })
    const { relatorios, said } = await backUpAt(silent)
    expect([relatorios, said]).toEqual([null, expect.stringContaining('INCOMPLETA')])
  })

  test('a backup with a local connection with encryption keeps the rest, deletes no earlier backup, and says what is missing', {
    timeout: 400_000,
  }, async () => {
    const recipient = await identityToRecipient(await generateX25519Identity())
    const target = join(folder, 'destino')
    mkdirSync(target)
    const { id } = await app.db.selectFrom('instalacao').select('id').executeTakeFirstOrThrow()
    const earlier = nameOf(id, new Date('2020-01-01T06:00:00Z'))
    writeFileSync(join(target, earlier), '')
    archive = { bytes: (await tarOf(whole)).subarray(0, 1_100), isCutShort: true }
    const make = (at: string) => {
      const backup = {
        schedule: undefined,
        timeZone: 'UTC',
        verify: true,
        recipients: [recipient],
        place: { kind: 'folder' as const, folder: target },
        keep: { days: 1, weeks: 0, months: 0, years: 0 },
      }
      const workFolder = mkdtempSync(join(folder, 'work-'))
      const config = { ...configAt(address), s3: undefined, backup }
      return makeBackup(app.db, { config, name: nameOf(id, new Date(at)), workFolder })
    }
    const lacking = await make('2026-11-21T06:00:00Z')
    expect(lacking).toMatchObject({
      verified: true,
      relatorios: null,
      incomplete: expect.stringMatching(/^Cópia INCOMPLETA: .* parou no meio/),
    })
    expect(readdirSync(target).sort()).toEqual([earlier, nameOf(id, new Date('2026-11-21T06:00:00Z'))])
    archive = { bytes: await tarOf(whole) }
    expect(await make('2026-11-21T07:00:00Z')).toMatchObject({
      incomplete: null,
      relatorios: { origem: 'servico', relatorios: 1, conjuntos: 0 },
    })
    expect(readdirSync(target)).not.toContain(earlier)
  })
})

test('a backup without a local connection takes the folder if there is one', async () => {
  expect((await backUpAt(silent)).relatorios).toBeUndefined()
  write(whole)
  const { relatorios, said } = await backUpAt(silent)
  expect([relatorios, said]).toEqual([
    { origem: 'pasta', relatorios: 1, conjuntos: 0 },
    expect.not.stringContaining('INCOMPLETA'),
  ])
  expect(await actions()).toEqual(['backup.created', 'backup.created'])
})

describe('restoring the report service into its folder', () => {
  let copy: string
  beforeEach(async () => {
    write(whole)
    copy = (await backUpAt(silent)).copy
  })
  const restore = (into: string, replace = false) => {
    const said: string[] = []
    const config = { ...app.services.config, dataDir: join(folder, 'nenhuma') }
    const options = { folder: copy, into, replace, trustFolder: true }
    return restoreReports(config, options, (sentence) => said.push(sentence)).then(() => said.join('\n'))
  }

  test('restoring the report service into its folder may be repeated, and refuses a folder with other content unless it replaces it', async () => {
    const into = join(folder, `servico-${copies}`)
    expect(await restore(into)).toMatch(/restaurado em .*: 1 relatório e 0 conjuntos de dados, conferidos/)
    rmSync(join(into, 'workspaces/a/r.json'))
    await restore(into)
    expect(readFileSync(join(into, 'workspaces/a/r.json'), 'utf8')).toBe('{}')
    expect(readFileSync(join(into, 'service.json'), 'utf8')).toBe(credentials)
    writeFileSync(join(into, 'service.json'), '{"outro":1}')
    await expect(restore(into)).rejects.toThrow(/Já existe outro .*service\.json.*--replace/)
    writeFileSync(join(into, 'workspaces/a/mais.json'), '{}')
    await expect(restore(into)).rejects.toThrow(/já tem relatórios \(workspaces\/a\/mais\.json\).*--replace/)
    expect(await restore(into, true)).toContain('.antes-')
    expect(readFileSync(join(into, 'service.json'), 'utf8')).toBe(credentials)
    expect(existsSync(join(into, 'workspaces/a/mais.json'))).toBe(false)
  })

  // The kind of fault: the command says that it did what was already so.
  test('the restore says that nothing changed when the folder already has all of it', async () => {
    const into = join(folder, `igual-${copies}`)
    const { criadaEm } = readManifest(copy).manifest
    await restore(into)
    expect(await restore(into)).toBe(
      `A pasta ${into} já tem o serviço de relatórios da cópia de ${criadaEm}: 1 relatório e 0 conjuntos de dados, conferidos. Nada mudou.`,
    )
    for (const path of ['service.json', 'workspaces/a/r.json']) {
      rmSync(join(into, path))
      expect(await restore(into), path).toMatch(/restaurado em .* Inicie-o\.$/)
    }
    expect(await restore(into, true)).toMatch(/restaurado em .* Inicie-o\.$/)
  })

  test('the restore touches nothing when the copy was changed, or lacks the credentials', async () => {
    const into = join(folder, `alvo-${copies}`)
    mkdirSync(into)
    writeFileSync(join(into, 'service.json'), 'de antes')
    writeFileSync(join(copy, 'files/reports/workspaces/a/r.json'), '[]')
    await expect(restore(into, true)).rejects.toThrow(/r\.json da cópia falta ou foi alterado/)
    writeFileSync(join(copy, 'files/reports/workspaces/a/r.json'), '{}')
    rmSync(join(copy, 'keys/reports'), { recursive: true })
    await expect(restore(into, true)).rejects.toThrow(/não tem as credenciais do serviço de relatórios/)
    expect(readdirSync(into)).toEqual(['service.json'])
  })
})

/*
 * The kind of fault: what a copy lacks is taken for something that the operator has to give. Looked
 * for in both restores, of a copy whose service was silent and of one without a service.
 */
describe('restoring a copy without the report service, with keys from when there was one', () => {
  const incomplete = async () => {
    await connect()
    return (await backUpAt(silent)).copy
  }
  const withoutService = async () => (await backUpAt(silent)).copy
  const INCOMPLETE =
    'A cópia está INCOMPLETA: não tem o serviço de relatórios. Procure outra; para restaurar só o portal, use --without-reports.'
  const NONE =
    'A cópia não tem o serviço de relatórios. Procure outra; para restaurar só o portal, use --without-reports.'
  /** The keys of an earlier backup, or the installation's key alone. */
  const vaultOf = async (hasCredentials: boolean) => {
    write(whole)
    const keys = join((await backUpAt(silent)).copy, 'keys')
    const vault = mkdtempSync(join(folder, 'cofre-'))
    cpSync(keys, vault, { recursive: true })
    if (!hasCredentials) rmSync(join(vault, 'reports'), { recursive: true })
    rmSync(join(app.dataDir, 'reports'), { recursive: true })
    return vault
  }

  test.each([
    ['an incomplete copy', incomplete, ['A cópia não tem os relatórios publicados']],
    ['a copy without a service', withoutService, []],
  ])('the command restores the portal of %s', { timeout: 120_000 }, async (_name, makeCopy, sentences) => {
    const keysFolder = await vaultOf(true)
    const copy = await makeCopy()
    const target = await openTestDatabase()
    try {
      const said: string[] = []
      await restoreInto(target.db, { ...target, appSecret: undefined }, { folder: copy, keysFolder }, (one) =>
        said.push(one),
      )
      for (const sentence of sentences) expect(said.join('\n')).toContain(sentence)
      expect(said.join('\n')).toContain('restaurada: ')
      // The credentials of another copy are not restored with this one.
      expect(existsSync(join(target.dataDir, 'reports'))).toBe(false)
    } finally {
      await target.close()
    }
  })

  test.each([
    ['an incomplete copy', incomplete, INCOMPLETE],
    ['a copy without a service', withoutService, NONE],
  ])(
    'the command refuses the report service of %s, and says what restores the portal',
    {
      timeout: 120_000,
    },
    async (_name, makeCopy, said) => {
      const vaults = [await vaultOf(true), await vaultOf(false)]
      const copy = await makeCopy()
      const started = mkdtempSync(join(folder, 'servico-novo-'))
      writeFileSync(join(started, 'service.json'), credentials)
      const config = { dataDir: join(folder, 'nenhuma'), appSecret: undefined }
      for (const keysFolder of vaults) {
        for (const into of [join(folder, 'servico-ausente'), started]) {
          for (const replace of [false, true]) {
            const restored = restoreReports(config, { folder: copy, keysFolder, into, replace }, () => {})
            await expect(restored).rejects.toThrow(said)
          }
        }
      }
      expect(existsSync(join(folder, 'servico-ausente'))).toBe(false)
      expect(readdirSync(started)).toEqual(['service.json'])
    },
  )
})

// The kind of fault: a count of one, with its noun in the plural. Looked for in every sentence.
test('the sentence names one file in the singular', { timeout: 120_000 }, async () => {
  write({ 'service.json': credentials, 'r.json': '{}' })
  const { copy, said } = await backUpAt(silent)
  expect(said).toMatch(/tabelas, [\d.]+ linhas, 1 arquivo\.$/m)
  const target = await openTestDatabase()
  try {
    const restored: string[] = []
    const options = { folder: copy, trustFolder: true }
    await restoreInto(target.db, { ...target, appSecret: undefined }, options, (one) => restored.push(one))
    expect(restored.join('\n')).toMatch(/restaurada: [\d.]+ linhas e 1 arquivo, conferidos\.$/m)
  } finally {
    await target.close()
  }
  const s3 = { region: 'r', accessKeyId: 'a', secretAccessKey: 's', endpoint: 'https://s3.exemplo' }
  const inBucket = { s3: { ...s3, bucket: 'exames' }, dataDir: folder }
  expect(describeMissing(inBucket, ['a'], { arquivos: [] })).toMatch(/depois desta \(1 arquivo\)\.$/)
  expect(describeMissing({ dataDir: folder }, ['a'], { arquivos: [] })).toBe(
    `Atenção: a cópia ficou sem 1 de 1 arquivo de anexos, que o portal não achou em ${join(folder, 'attachments')} (a).`,
  )
})
