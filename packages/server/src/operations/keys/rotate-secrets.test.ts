import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../test/database/test-database.ts'
import { shortLived } from '../../../test/processes/killed-server.ts'
import { createUser } from '../../../test/users.ts'
import { nameColumns } from '../../accounts/names/names-in-use.ts'
import { type Encrypted, loadSecrets, type Secrets, secretsOf } from '../../platform/config/secrets.ts'
import { type Db, openDatabase } from '../../platform/db/open-database.ts'
import { assertKeysDecrypt, countEncrypted } from './encrypted-columns.ts'
import { rotateIn, rotateSecrets } from './rotate-secrets.ts'

const run = fileURLToPath(new URL('../../../../../scripts/run.js', import.meta.url))
const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
const old = 'a chave antiga desta instalação de teste'
const fresh = 'a chave nova desta instalação de testes'

let database: TestDatabase
beforeEach(async () => {
  database = await openTestDatabase()
})
afterEach(() => database.close())

/** Closes the embedded database, so that another process can open it. */
const letGo = async () => {
  await database.close()
  database = await openTestDatabase({ alone: true })
  await database.db.destroy()
  isOpen = false
}
let isOpen = true
beforeEach(() => {
  isOpen = true
})

const within = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
  if (isOpen) return work(database.db)
  const { dataDir, databaseUrl } = database
  const db = await openDatabase({ dataDir, databaseUrl, onError: console.error })
  return work(db).finally(() => db.destroy())
}

const fill = async (db: Db, { encrypt }: Secrets, people: number): Promise<void> => {
  await db
    .insertInto('powerbi')
    .values({
      nome: 'Conexão',
      username: 'u',
      segredo: encrypt('senha-do-bi'),
      provedor: 'microsoft',
      tipoCredencial: 'master_user',
    })
    .execute()
  const users = await db
    .insertInto('usuario')
    .values(
      Array.from({ length: people }, (_, n) => ({
        ...nameColumns(`P${n}`),
        emailUsuario: `p${n}@exemplo.com.br`,
      })),
    )
    .returning('idUsuario')
    .execute()
  const factors = users.map(({ idUsuario }) => ({ idUsuario, segredo: encrypt(`totp-${idUsuario}`) }))
  await db.insertInto('segundoFator').values(factors).execute()
  const now = new Date()
  await db
    .insertInto('mensagem')
    .values({ conteudo: encrypt('carta'), criadaEm: now, proximaEm: now })
    .execute()
}

/** The decrypted values, to compare with `whole`. */
const opened = async (db: Db, { decrypt }: Secrets) => ({
  powerbi: (await db.selectFrom('powerbi').select('segredo').execute()).map(({ segredo }) =>
    decrypt(segredo),
  ),
  factors: (await db.selectFrom('segundoFator').selectAll().execute()).every(
    ({ idUsuario, segredo }) => decrypt(segredo) === `totp-${idUsuario}`,
  ),
  mails: (await db.selectFrom('mensagem').select('conteudo').execute()).map(({ conteudo }) =>
    decrypt(conteudo),
  ),
})
const whole = { powerbi: ['senha-do-bi'], factors: true, mails: ['carta'] }

const config = (appSecret?: string[]) => ({
  appSecret,
  dataDir: database.dataDir,
  databaseUrl: database.databaseUrl,
})

const rotate = async (appSecret?: string[], options = {}) => {
  const told: string[] = []
  const tell = (sentence: string) => told.push(sentence)
  const all = await within((db) => rotateIn(db, config(appSecret), options, tell))
  return { all, told: told.join('\n') }
}

const spawnRotation = (settings: Record<string, string> = {}) =>
  spawn(process.execPath, [...shortLived.flags, run, 'secrets-rotate'], {
    env: {
      ...shortLived.env,
      DATA_DIR: database.dataDir,
      ...(database.databaseUrl ? { DATABASE_URL: database.databaseUrl } : {}),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

describe('with the key in a file', () => {
  test('the command says last to restart the portals that read the key file', async () => {
    await fill(database.db, loadSecrets(undefined, database.dataDir), 1)
    const last = ({ told }: { told: string }) => told.split('\n').at(-1)
    const restart = /^Reinicie antes de tudo os processos do portal/
    const current = /^A chave atual é a /
    // No other process reads the key file beside the embedded database.
    expect(last(await rotate())).toMatch(database.databaseUrl ? restart : current)
  })

  test('the command adds a new key at the top of the file and reencrypts everything; a second run adds another', async () => {
    const { dataDir } = database
    await within((db) => fill(db, loadSecrets(undefined, dataDir), 3))
    const file = join(dataDir, 'app-secret.key')
    const before = readFileSync(file, 'utf8')

    const { all, told } = await rotate()
    expect(all).toBe(true)
    expect(told).toContain('3 segredos de segundo fator')
    const [added, ...rest] = readFileSync(file, 'utf8').split('\n')
    expect(rest.join('\n')).toBe(before)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(existsSync(`${file}.rotating`)).toBe(false)
    // Values that the new key alone opens are encrypted with it.
    await within(async (db) => {
      expect(await opened(db, secretsOf([added ?? '']))).toEqual(whole)
      const rows = await db
        .selectFrom('auditoria')
        .select(['objeto', 'detalhes'])
        .where('acao', '=', 'secrets.rotated')
        .execute()
      const { encryptionKeyIds } = loadSecrets(undefined, dataDir)
      expect(rows).toEqual([
        {
          objeto: `chave:${encryptionKeyIds[0]}`,
          detalhes: { cifrados: { powerbi: 1, segundo_fator: 3, mensagem: 1 } },
        },
      ])
    })
    await rotate()
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(3)
    await within(async (db) => expect(await opened(db, loadSecrets(undefined, dataDir))).toEqual(whole))
  })

  test('after a kill at any moment, everything opens and the next run completes the rotation', {
    timeout: 120_000,
  }, async () => {
    await letGo()
    const { dataDir } = database
    await within((db) => fill(db, loadSecrets(undefined, dataDir), 1_500))
    const file = join(dataDir, 'app-secret.key')
    let cut = 0
    for (const delay of [0, 60]) {
      const child = spawnRotation()
      const ended = once(child, 'exit')
      // The new key is in its file before any value is encrypted with it.
      while (child.exitCode === null && !existsSync(`${file}.rotating`)) await sleep(5)
      await sleep(delay)
      child.kill('SIGKILL')
      await ended
      if (existsSync(`${file}.rotating`)) cut += 1
      await within(async (db) => {
        await assertKeysDecrypt(db, loadSecrets(undefined, dataDir))
        expect(await opened(db, loadSecrets(undefined, dataDir))).toEqual(whole)
      })
    }
    expect(cut).toBeGreaterThan(0)
    const keys = readFileSync(file, 'utf8').split('\n').length
    // The run after an interrupted one uses the key created then.
    expect((await rotate()).all).toBe(true)
    expect(readFileSync(file, 'utf8').split('\n').length - keys).toBeLessThanOrEqual(1)
    await within(async (db) => {
      const secrets = loadSecrets(undefined, dataDir)
      const [current] = secrets.encryptionKeyIds
      expect((await countEncrypted(db)).every(({ keyId }) => keyId === current)).toBe(true)
      expect(await opened(db, secrets)).toEqual(whole)
    })
  })

  test('the command refuses with one sentence while a server holds the embedded database', async () => {
    const child = spawnRotation()
    const [errors] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect(child.exitCode).toBe(database.databaseUrl ? 0 : 1)
    if (database.databaseUrl) return
    expect(errors.trim()).toMatch(/já está em uso .* Pare o servidor e rode o comando de novo\.$/)
  })
})

describe('with the key in APP_SECRET', () => {
  test('the command reencrypts with APP_SECRET the values of APP_SECRET_PREVIOUS; a second run has nothing to do', async () => {
    await fill(database.db, secretsOf([old]), 2)
    const check = await rotate([fresh, old], { check: true })
    expect(check.all).toBe(false)
    expect(check.told).toMatch(/2 segredos de segundo fator: com uma chave anterior/)

    expect((await rotate([fresh, old])).all).toBe(true)
    await within(async (db) => expect(await opened(db, secretsOf([fresh]))).toEqual(whole))
    expect((await rotate([fresh, old])).told).toMatch(/^Nada mais a cifrar/)
    expect((await rotate([fresh, old], { check: true })).all).toBe(true)
    expect(existsSync(join(database.dataDir, 'app-secret.key'))).toBe(false)
    await within(async (db) => {
      const rows = await db.selectFrom('auditoria').select('acao').execute()
      expect(rows).toEqual([{ acao: 'secrets.rotated' }])
    })
  })

  test('the command notifies every ADMIN and data protection officer of the new key once', async () => {
    await fill(database.db, secretsOf([old]), 1)
    const admin = await createUser(database, { tipoUsuario: 'ADMIN' })
    const officer = await createUser(database, { encarregadoDados: true })
    await rotate([fresh, old])
    await rotate([fresh, old])
    await within(async (db) => {
      const rows = await db
        .selectFrom('notificacao')
        .select(['idUsuario', 'titulo'])
        .orderBy('idUsuario')
        .execute()
      const titulo = 'Chave da instalação trocada'
      expect(rows).toEqual([admin, officer].map(({ idUsuario }) => ({ idUsuario, titulo })))
    })
  })

  test('the command keeps and names a value that was altered, and reencrypts all others', async () => {
    const secrets = secretsOf([old])
    await fill(database.db, secrets, 1)
    await database.db
      .updateTable('powerbi')
      .set({ segredo: sql<Encrypted>`overlay(segredo placing 'AAAA' from length(segredo) - 3)` })
      .execute()
    const { all, told } = await rotate([fresh, old])
    expect(all).toBe(false)
    expect(told).toMatch(/Não se abre, e ficou como estava: senha de Powerbi 1\./)
    await within(async (db) =>
      expect((await db.selectFrom('mensagem').select('conteudo').execute())[0]?.conteudo).toContain(
        secretsOf([fresh]).encryptionKeyIds[0],
      ),
    )
  })

  test('the command loses nothing and leaves nothing behind while others write', async () => {
    if (!database.databaseUrl) {
      await expect(rotateSecrets(config([fresh, old]), {}, () => {})).rejects.toThrow(/já está em uso/)
      return
    }
    const ring = secretsOf([fresh, old])
    await fill(database.db, secretsOf([old]), 500)
    const writers = Array.from({ length: 3 }, async (_, n) => {
      for (let i = 0; i < 20; i += 1) {
        const at = new Date()
        const conteudo = ring.encrypt(`carta ${n}.${i}`)
        await database.db.insertInto('mensagem').values({ conteudo, criadaEm: at, proximaEm: at }).execute()
        await database.db
          .updateTable('powerbi')
          .set({ segredo: ring.encrypt('senha-do-bi') })
          .execute()
      }
    })
    const [all] = await Promise.all([rotateSecrets(config([fresh, old]), {}, () => {}), ...writers])
    expect(all).toBe(true)
    const { powerbi, factors, mails } = await opened(database.db, secretsOf([fresh]))
    expect([powerbi, factors, mails.length]).toEqual([['senha-do-bi'], true, 61])
  })
})

test('--end-sessions ends every session, for a leaked key', async () => {
  await fill(database.db, secretsOf([old]), 1)
  const [user] = await database.db.selectFrom('usuario').select('idUsuario').execute()
  const now = new Date()
  await database.db
    .insertInto('sessao')
    .values({
      idSessao: crypto.randomUUID(),
      idUsuario: user?.idUsuario ?? 0,
      criadaEm: now,
      ultimoUso: now,
      expiraEm: new Date('2099-01-01'),
      encerradaEm: null,
      dispositivo: null,
    })
    .execute()
  expect((await rotate([fresh, old], { endSessions: true })).told).toContain('Sessões encerradas: 1.')
  await within(async (db) => {
    const alive = db.selectFrom('sessao').selectAll().where('encerradaEm', 'is', null)
    expect(await alive.execute()).toEqual([])
    const [row] = await db.selectFrom('auditoria').select('detalhes').execute()
    expect(row?.detalhes).toMatchObject({ sessoesEncerradas: 1 })
  })
})

describe('with a missing key', () => {
  const startServer = (settings: Record<string, string>) =>
    spawn(process.execPath, [...shortLived.flags, main], {
      env: {
        ...shortLived.env,
        PORT: '4471',
        DATA_DIR: database.dataDir,
        ...(database.databaseUrl ? { DATABASE_URL: database.databaseUrl } : {}),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })

  test('the start and the rotation stop with one sentence that names what cannot be decrypted', {
    timeout: 60_000,
  }, async () => {
    await letGo()
    await within((db) => fill(db, secretsOf([old]), 2))
    const child = startServer({ APP_SECRET: fresh })
    const [errors] = await Promise.all([text(child.stdout), once(child, 'exit')])
    expect(child.exitCode).toBe(78)
    expect(errors).toContain(
      'Falta uma chave: 1 senha de Powerbi, 2 segredos de segundo fator e 1 mensagem na fila no banco foram cifrados com outra',
    )
    expect(errors).not.toContain(fresh)
    await expect(rotate([fresh])).rejects.toThrow(/Falta uma chave/)
    expect((await rotate([fresh], { check: true })).told).toMatch(/com uma chave que falta/)
  })

  test('--discard-lost discards the values of a lost key and records it', async () => {
    await fill(database.db, secretsOf([old]), 2)
    const { all, told } = await rotate([fresh], { discardLost: true })
    expect(all).toBe(true)
    expect(told).toContain('Descartado, porque a chave se perdeu: 2 segredos de segundo fator.')
    await within(async (db) => {
      expect(await db.selectFrom('powerbi').select('segredo').execute()).toEqual([{ segredo: '' }])
      expect(await db.selectFrom('mensagem').selectAll().execute()).toEqual([])
      const [row] = await db.selectFrom('auditoria').select(['acao', 'detalhes']).execute()
      expect(row).toEqual({
        acao: 'secrets.rotated',
        detalhes: { cifrados: {}, descartados: { powerbi: 1, segundo_fator: 2, mensagem: 1 } },
      })
    })
  })

  test('an empty installation starts with any key', async () => {
    await expect(assertKeysDecrypt(database.db, secretsOf([fresh]))).resolves.toBeUndefined()
  })
})

test('an error about the key file names the file, never a value', () => {
  const file = join(database.dataDir, 'app-secret.key')
  writeFileSync(file, '')
  expect(() => loadSecrets(undefined, database.dataDir)).toThrow(/app-secret\.key/)
})
