import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyEmbedded } from '../../test/embedded-template.ts'
import { fillEveryTable } from '../../test/every-table.ts'
import { storedFiles } from '../../test/kept-files.ts'
import { formOf } from '../../test/multipart.ts'
import { startTestApp, type TestApp } from '../../test/test-app.ts'
import { openTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { createUser, password } from '../../test/users.ts'
import { buildApp } from '../app.ts'
import { type Finding, verifyChain } from '../audit/verify-chain.ts'
import { loadConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import type { Db } from '../db/open-database.ts'
import { loadSecrets, secretsOf } from '../secrets.ts'
import { buildServices } from '../start-server.ts'
import { type Manifest, readManifest, sealManifest } from './manifest.ts'
import { restoreBackup, restoreInto } from './restore-backup.ts'
import { readSequences, readTables, tablesInUse } from './schema.ts'
import { backUp, writeBackup } from './write-backup.ts'

/* One installation with a row in every table, backed up once; every test restores or refuses it. */

const folder = mkdtempSync(join(tmpdir(), 'bi-manager-backup-'))
const backup = join(folder, 'copia')
const told: string[] = []
let source: TestDatabase
let before: Awaited<ReturnType<typeof contentOf>>
let email: string
let device: string
let attachment: Awaited<ReturnType<typeof sendAttachment>>

const openings: TestDatabase[] = []
/** An empty database, migrated as tests have it: the restore finds that nothing is in it. */
const emptyTarget = async (): Promise<TestDatabase> => {
  const target = await openTestDatabase()
  openings.push(target)
  return target
}

/** Where the operator keeps the keys, apart from the backup. */
const safe = join(folder, 'cofre')

const restore = (target: TestDatabase, options: Parameters<typeof restoreBackup>[1], appSecret?: string[]) =>
  restoreInto(target.db, configOf(target, appSecret), { keysFolder: safe, ...options }, () => {})

/** As a program with these keys would have written it. */
const rewrite = (copy: string, change: (fields: Manifest) => void, key?: string) => {
  const file = join(copy, 'manifest.json')
  const { selo: _, ...fields } = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  change(fields)
  const secrets = key ? secretsOf([key]) : loadSecrets(undefined, safe)
  writeFileSync(file, JSON.stringify(sealManifest(secrets, fields)))
}

const copyOf = (name: string) => {
  const copy = mkdtempSync(join(folder, name))
  cpSync(backup, copy, { recursive: true })
  return copy
}

const configOf = ({ dataDir, databaseUrl }: TestDatabase, appSecret?: string[]) => ({
  dataDir,
  databaseUrl,
  appSecret,
})

/** Every table, row by row, as the database itself says it. */
const contentOf = async (db: Db) => {
  const content: Record<string, string[]> = {}
  for (const { name } of await readTables(db)) {
    const { rows } = await sql<{ line: string }>`
      select row_to_json(t)::text as line from ${sql.table(name)} t order by 1`.execute(db)
    content[name] = rows.map(({ line }) => line)
  }
  return { content, sequences: await readSequences(db) }
}

/** As a clinician sends it: what comes back after a restore has to be the same, byte for byte. */
const sendAttachment = async (app: TestApp) => {
  const sender = await createUser(app, { acessoProntuario: true })
  const clinician = await app.as(sender)
  const pixel = { create: { width: 3, height: 3, channels: 3, background: '#036' } } as const
  const bytes = await sharp(pixel).png().toBuffer()
  const form = formOf(
    { titulo_anexo: 'Exame', tipo_anexo: 'IMG', descricao_anexo: 'Sangue' },
    { bytes, name: 'exame.png' },
  )
  const { status, body } = await clinician.upload('/anexos', form)
  expect(status).toBe(201)
  const url: string = body.imagem_anexo
  const answer = await clinician.download(url.replace('/api', ''))
  expect(answer.status).toBe(200)
  return { url, sender, bytes: answer.bytes }
}

beforeAll(async () => {
  const app = await startTestApp()
  source = app
  ;({ email, device } = await fillEveryTable(app.db, app.services))
  attachment = await sendAttachment(app)
  // One that was on its way when the machine stopped.
  writeFileSync(join(source.dataDir, 'attachments', `${randomUUID()}.new`), 'half')
  mkdirSync(join(source.dataDir, 'reports'), { recursive: true })
  writeFileSync(join(source.dataDir, 'reports/service.json'), '{"credencial":"do serviço"}')
  writeFileSync(join(source.dataDir, 'reports/report.json'), '{}')
  mkdirSync(join(source.dataDir, 'outbox'), { recursive: true })
  writeFileSync(join(source.dataDir, 'outbox/1.eml'), 'link')
  before = await contentOf(app.db)
  await app.app.close()
  await backUp(app.db, configOf(source), backup, (sentence) => told.push(sentence))
  cpSync(join(backup, 'keys'), safe, { recursive: true })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  for (const database of [source, ...openings]) await database.close()
})

describe('the backup', () => {
  test('every table has a row in it, or this file proves nothing of it', () => {
    const empty = Object.entries(before.content).flatMap(([name, rows]) => (rows.length === 0 ? [name] : []))
    expect(empty, 'tables without a row in this test: add one to fill').toEqual([])
  })

  test('holds data and keys apart, for its owner alone, and says to keep the keys elsewhere', () => {
    expect(statSync(backup).mode & 0o777).toBe(0o700)
    for (const name of ['manifest.json', 'tables/usuario.ndjson.gz', 'keys/app-secret.key']) {
      expect(statSync(join(backup, name)).mode & 0o777, name).toBe(0o600)
    }
    expect(told.join('\n')).toContain('guarde-a separada da cópia')
    expect(readFileSync(join(backup, 'keys/LEIA-ME.txt'), 'utf8')).toContain('separada da cópia')
    expect(existsSync(join(backup, 'keys/reports/service.json'))).toBe(true)
    expect(existsSync(join(backup, 'files/reports/service.json'))).toBe(false)
    expect(existsSync(join(backup, 'files/outbox'))).toBe(false)
    const all = execFileSync('cat', [join(backup, 'manifest.json')], { encoding: 'utf8' })
    expect(all).not.toContain(readFileSync(join(source.dataDir, 'app-secret.key'), 'utf8').trim())
  })

  test('goes into an empty folder only', async () => {
    await expect(backUp(source.db, configOf(source), backup, () => {})).rejects.toThrow(/não está vazia/)
  })

  test('says which attachments’ files it has not: of a store elsewhere, or gone from the disk', async () => {
    // A row of test/every-table.ts has no file.
    expect(told.join('\n')).toMatch(/Atenção: 1 de 2 arquivos de anexos não estão em .*attachments/)
    const settings = { region: 'r', accessKeyId: 'a', secretAccessKey: 's', endpoint: 'https://s3.exemplo' }
    const sentences: string[] = []
    const config = { ...configOf(source), s3: { ...settings, bucket: 'exames' } }
    await backUp(source.db, config, join(folder, 'copia-s3'), (sentence) => sentences.push(sentence))
    expect(sentences).toContain(
      'Os arquivos dos anexos estão no bucket exames e não vão na cópia: faça cópia do bucket à parte, depois desta (2 arquivos).',
    )
  })

  test('is on record', async () => {
    const rows = await source.db
      .selectFrom('auditoria')
      .select('acao')
      .where('acao', '=', 'backup.created')
      .execute()
    expect(rows.length).toBeGreaterThanOrEqual(1)
  })
})

/** What a restore adds by itself, and the one thing that it changes. */
const asRestored = (content: Record<string, string[]>) => ({
  ...content,
  sessao: content.sessao?.map((line) => ({ ...JSON.parse(line), encerrada_em: expect.any(String) })),
})
const withoutRestoreRecord = ({ content }: Awaited<ReturnType<typeof contentOf>>) => {
  const added = (content.auditoria ?? []).find((line) => line.includes('backup.restored')) ?? '{}'
  const { id_auditoria } = JSON.parse(added)
  return {
    ...content,
    sessao: content.sessao?.map((line) => JSON.parse(line)),
    auditoria: content.auditoria?.filter((line) => line !== added),
    auditoria_fila: content.auditoria_fila?.filter((line) => JSON.parse(line).id_auditoria !== id_auditoria),
  }
}

/** The counts of lists, of those tables alone that were counted then. */
const ofThen = (copy: string, table: Manifest['tabelas'][number]): Manifest['tabelas'][number] => {
  const file = join(copy, table.arquivo.caminho)
  const lines = gunzipSync(readFileSync(file)).toString().split('\n')
  const kept = lines.filter((line) => /"(usuario|relatorio)"/.test(line))
  const bytes = gzipSync(`${kept.join('\n')}\n`)
  writeFileSync(file, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { ...table, linhas: kept.length, arquivo: { ...table.arquivo, bytes: bytes.length, sha256 } }
}

/** Of a table that is no more. */
const empty = (copy: string, nome: string): Manifest['tabelas'][number]['arquivo'] => {
  const caminho = `${nome}.jsonl.gz`
  const bytes = gzipSync('')
  writeFileSync(join(copy, caminho), bytes)
  return { caminho, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

describe('the restore', () => {
  test('brings back every row of every table, ids to come, files and keys; people sign in, secrets open', async () => {
    const target = await emptyTarget()
    await restore(target, { folder: backup })
    const after = await contentOf(target.db)
    expect(withoutRestoreRecord(after)).toEqual(asRestored(before.content))
    const ids = (list: typeof after.sequences) => list.filter(({ nome }) => !nome.startsWith('auditoria'))
    expect(ids(after.sequences)).toEqual(ids(before.sequences))

    const config = loadConfig({ LOG_LEVEL: 'silent', DATA_DIR: target.dataDir })
    const secrets = loadSecrets(config.appSecret, config.dataDir)
    const [row] = await target.db.selectFrom('powerbi').select('segredo').execute()
    expect(row && secrets.open(row.segredo)).toBe('senha-do-bi')
    expect(await target.db.selectFrom('dispositivoConhecido').select('marca').execute()).toEqual([
      { marca: secrets.digest(`dispositivo:${device}`) },
    ])
    const server = await buildApp(buildServices(config, target.db, secrets))
    const answer = await server.inject({
      method: 'POST',
      url: '/api/usuarios/authorizer',
      payload: { username: email, password },
    })
    expect(answer.statusCode).toBe(200)
    const signIn = await server.inject({
      method: 'POST',
      url: '/api/usuarios/authorizer',
      payload: { username: attachment.sender.emailUsuario, password },
    })
    const file = await server.inject({
      method: 'GET',
      url: attachment.url,
      headers: { authorization: `Bearer ${signIn.json().access_token}` },
    })
    expect(file.statusCode).toBe(200)
    expect(file.rawPayload).toEqual(attachment.bytes)
    await server.close()

    // Counters go on: triggers work again, and no id of the past comes back.
    const created = await createUser({ db: target.db }, { emailUsuario: 'depois@exemplo.com.br' })
    expect(created.idUsuario).toBe(5)
    const { total } = await target.db
      .selectFrom('totalLinhas')
      .select('total')
      .where('tabela', '=', 'usuario')
      .executeTakeFirstOrThrow()
    expect(total).toBe(4)
    const findings: Finding[] = []
    await verifyChain(target.db, secrets, (finding) => findings.push(finding))
    expect(findings).toEqual([])
    const [name = '', ...others] = await storedFiles(target.dataDir)
    expect(others).toEqual([])
    const kept = (dataDir: string) => readFileSync(join(dataDir, 'attachments', name))
    expect(kept(target.dataDir)).toEqual(kept(source.dataDir))
    expect(kept(target.dataDir).includes(attachment.bytes.subarray(0, 8))).toBe(false)
    expect(readFileSync(join(target.dataDir, 'reports/service.json'), 'utf8')).toContain('do serviço')
    expect(statSync(join(target.dataDir, 'app-secret.key')).mode & 0o777).toBe(0o600)
    await expect(restore(target, { folder: backup })).rejects.toThrow(/não está vazio \(/)
  })

  test('takes keys that were kept elsewhere, and refuses others before it touches anything', async () => {
    const withoutKeys = join(folder, 'sem-chaves')
    cpSync(backup, withoutKeys, { recursive: true })
    rmSync(join(withoutKeys, 'keys'), { recursive: true })
    const target = await emptyTarget()
    const restoreWith = (appSecret?: string[], keysFolder?: string) =>
      restore(target, { folder: withoutKeys, keysFolder: keysFolder ?? join(withoutKeys, 'keys') }, appSecret)
    await expect(restoreWith()).rejects.toThrow(/Faltam as chaves: .* --keys/)
    await expect(restoreWith(['uma chave que não é a da instalação'])).rejects.toThrow(/não são as da cópia/)
    const right = readFileSync(join(safe, 'app-secret.key'), 'utf8').trim()
    await expect(restoreWith([right, 'uma chave mais antiga que a da cópia!'])).rejects.toThrow(
      /A chave mais antiga daqui não é a da cópia/,
    )
    await restoreWith(undefined, safe)
    expect(existsSync(join(target.dataDir, 'app-secret.key'))).toBe(true)
  })

  test('leaves nothing in an empty folder when it refuses the copy', async () => {
    const copy = copyOf('alterada-')
    writeFileSync(join(copy, 'tables/perfil.ndjson.gz'), 'alterado')
    const dataDir = join(folder, 'vazia')
    const config = { dataDir, databaseUrl: undefined, appSecret: undefined }
    const refused = restoreBackup(config, { folder: copy, keysFolder: safe }, () => {})
    await expect(refused).rejects.toThrow(/falta ou foi alterado/)
    expect(existsSync(dataDir)).toBe(false)
  })

  test('refuses a copy that was cut short, altered, or made by a newer program, and changes nothing', async () => {
    const target = await emptyTarget()
    const spoilt = async (spoil: (copy: string) => void) => {
      const copy = copyOf('estragada-')
      spoil(copy)
      return restore(target, { folder: copy })
    }
    await expect(spoilt((copy) => rmSync(join(copy, 'manifest.json')))).rejects.toThrow(
      /Não há cópia completa/,
    )
    await expect(spoilt((copy) => writeFileSync(join(copy, 'manifest.json'), '{}'))).rejects.toThrow(
      /não é de uma cópia/,
    )
    await expect(spoilt((copy) => rmSync(join(copy, 'tables/perfil.ndjson.gz')))).rejects.toThrow(
      /tables\/perfil\.ndjson\.gz da cópia falta ou foi alterado/,
    )
    await expect(
      spoilt((copy) => {
        const file = join(copy, 'tables/usuario.ndjson.gz')
        const text = gunzipSync(readFileSync(file)).toString().replaceAll('"USER"', '"ADMIN"')
        writeFileSync(file, gzipSync(text))
      }),
    ).rejects.toThrow(/foi alterado/)
    await expect(
      spoilt((copy) => rewrite(copy, ({ migracoes }) => migracoes.push('9999_do_futuro'))),
    ).rejects.toThrow(/versão mais nova .*9999_do_futuro/)
    await expect(
      spoilt((copy) =>
        rewrite(copy, ({ arquivos: [file] }) => {
          if (file) file.caminho = 'files/../../fora'
        }),
      ),
    ).rejects.toThrow(/não é de uma cópia/)
    await expect(
      spoilt((copy) =>
        rewrite(copy, ({ tabelas: [table] }) => {
          if (table) table.linhas += 1
        }),
      ),
    ).rejects.toThrow(/e o manifesto diz/)
    // Cut short in the middle of the load, nothing was loaded: the same folder takes the good copy.
    await restore(target, { folder: backup })
  })

  describe('where somebody else can write into the folder', () => {
    /** Makes everybody an ADMIN, with all counts and digests of the manifest as they then are. */
    const forge = (copy: string) => (fields: Manifest) => {
      const table = fields.tabelas.find(({ nome }) => nome === 'usuario')
      if (!table) throw new Error('no people')
      const file = join(copy, table.arquivo.caminho)
      const bytes = gzipSync(gunzipSync(readFileSync(file)).toString().replaceAll('"USER"', '"ADMIN"'))
      writeFileSync(file, bytes)
      Object.assign(table.arquivo, {
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      })
    }
    const stolen = 'uma chave que só o atacante conhece, e mais ninguém'

    test('refuses a manifest that was written anew, whatever its seal, and changes nothing', async () => {
      const target = await emptyTarget()
      const resealed = copyOf('forjada-')
      rewrite(resealed, forge(resealed), stolen)
      await expect(restore(target, { folder: resealed })).rejects.toThrow(
        /O manifesto da cópia foi alterado, ou não foi feito por esta instalação/,
      )
      const kept = copyOf('forjada-')
      const { selo } = readManifest(kept).manifest
      rewrite(kept, forge(kept))
      const file = join(kept, 'manifest.json')
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), selo }))
      await expect(restore(target, { folder: kept, trustFolder: true })).rejects.toThrow(
        /manifesto da cópia foi/,
      )
      expect(await tablesInUse(target.db)).toEqual([])
      expect(existsSync(join(target.dataDir, 'app-secret.key'))).toBe(false)
    })

    test('refuses a copy whose seal was taken away, or that an earlier version made, unless told to trust', async () => {
      const target = await emptyTarget()
      const copy = copyOf('sem-selo-')
      const { selo: _, credenciais: __, ...unsealed } = readManifest(copy).manifest
      writeFileSync(join(copy, 'manifest.json'), JSON.stringify(unsealed))
      await expect(restore(target, { folder: copy })).rejects.toThrow(/A cópia não tem selo.*--trust-folder/)
      await restore(target, { folder: copy, trustFolder: true })
    })

    test('takes the word of no key that lies in the folder, or that a link in it leads to', async () => {
      const target = await emptyTarget()
      const copy = copyOf('chaves-trocadas-')
      rewrite(copy, ({ chaves }) => (chaves.ids = [...secretsOf([stolen]).sealingKeyIds]), stolen)
      writeFileSync(join(copy, 'keys/app-secret.key'), stolen)
      const withTheirs = (keysFolder?: string) => restore(target, { folder: copy, keysFolder })
      await expect(withTheirs(undefined)).rejects.toThrow(/As chaves estão na própria cópia.*--keys/)
      cpSync(join(copy, 'keys'), join(folder, 'de-fora'), { recursive: true })
      rmSync(join(copy, 'keys'), { recursive: true })
      symlinkSync(join(folder, 'de-fora'), join(copy, 'keys'))
      await expect(withTheirs(undefined)).rejects.toThrow(/As chaves estão na própria cópia/)
      await expect(withTheirs(safe)).rejects.toThrow(/não são as da cópia/)
      const cut = mkdtempSync(join(folder, 'cortada-'))
      writeFileSync(join(cut, 'app-secret.key'), 'cortado')
      await expect(withTheirs(cut)).rejects.toThrow(/O arquivo de chaves .* está vazio ou cortado/)
      expect(existsSync(join(target.dataDir, 'app-secret.key'))).toBe(false)
    })

    test('takes no credentials of the report service but those that were copied', async () => {
      const target = await emptyTarget()
      const copy = copyOf('credenciais-')
      writeFileSync(join(copy, 'keys/reports/service.json'), '{"credencial":"do atacante"}')
      const secret = readFileSync(join(safe, 'app-secret.key'), 'utf8').trim()
      const ours = () => restore(target, { folder: copy, keysFolder: undefined }, [secret])
      await expect(ours()).rejects.toThrow(/reports\/service\.json em .* não é o da cópia/)
      cpSync(join(safe, 'reports/service.json'), join(copy, 'keys/reports/service.json'))
      await ours()
    })

    test('a copy whose owner trusts the folder is restored with the keys in it', async () => {
      await restore(await emptyTarget(), { folder: backup, keysFolder: undefined, trustFolder: true })
    })
  })

  // The first opens an embedded database besides, the second begins with a bare schema: once is enough.
  if (process.env.TEST_DATABASE === 'postgres') {
    test('goes from one kind of database to the other and back', { timeout: 120_000 }, async () => {
      const embedded = mkdtempSync(join(folder, 'embutido-'))
      await copyEmbedded(join(embedded, 'database'))
      const config = { dataDir: embedded, databaseUrl: undefined, appSecret: undefined }
      await restoreBackup(config, { folder: backup, keysFolder: safe }, () => {})
      const again = join(folder, 'copia-2')
      await writeBackup(config, again, () => {})
      const target = await emptyTarget()
      await restore(target, { folder: again })
      const { content } = await contentOf(target.db)
      const rest = ['auditoria', 'auditoria_fila', 'sessao']
      for (const [name, rows] of Object.entries(before.content)) {
        if (!rest.includes(name)) expect(content[name], name).toEqual(rows)
      }
      for (const line of before.content.auditoria ?? []) expect(content.auditoria).toContain(line)
    })

    test('a copy of an older schema is loaded into that schema, and brought to this one', async () => {
      const copy = mkdtempSync(join(folder, 'antiga-'))
      cpSync(backup, copy, { recursive: true })
      const old = '0002_back_office'
      const target = await emptyTarget()
      await sql`drop schema public cascade; create schema public`.execute(target.db)
      await migrate(target.db, { upTo: old })
      const tables = new Map((await readTables(target.db)).map(({ name, columns }) => [name, columns]))
      const known = new Set((await readSequences(target.db)).map(({ nome }) => nome))
      const { manifest } = readManifest(copy)
      const { selo: _, credenciais: __, ...then } = manifest
      const older: Manifest = {
        ...then,
        migracoes: manifest.migracoes.filter((name) => name <= old),
        tabelas: [...tables].map(([nome, colunas]) => {
          const table = manifest.tabelas.find((one) => one.nome === nome)
          if (!table) return { nome, colunas, linhas: 0, arquivo: empty(copy, nome) }
          return { ...(nome === 'total_linhas' ? ofThen(copy, table) : table), colunas }
        }),
        sequencias: manifest.sequencias.filter(({ nome }) => known.has(nome)),
      }
      writeFileSync(join(copy, 'manifest.json'), JSON.stringify(older))

      const isNewer = restore(await emptyTarget(), { folder: copy, trustFolder: true })
      await expect(isNewer).rejects.toThrow(/tabelas mais novas que a cópia/)
      await restore(target, { folder: copy, trustFolder: true })
      const { content } = await contentOf(target.db)
      expect(content.usuario?.length).toBe(before.content.usuario?.length)
      expect(content.configuracao).toHaveLength(1)
      // What 0003 does with the rows that were there.
      expect(content.auditoria_fila?.length).toBe(content.auditoria?.length)
    })
  }
})
