import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BackedUpInstallation,
  backUpInstallation,
  configOf,
} from '../../../../test/backup/backed-up-installation.ts'
import type { TestDatabase } from '../../../../test/database/test-database.ts'
import { testSender } from '../../../../test/mails.ts'
import { createUser, password } from '../../../../test/users.ts'
import { accountRefusedMail } from '../../../accounts/accounts.mail.ts'
import { buildApp } from '../../../app.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { loadSecrets } from '../../../platform/config/secrets.ts'
import { inTransaction } from '../../../platform/db/transactions/in-transaction.ts'
import {
  assertOwnFiles,
  markDataFolder,
  readInstallation,
} from '../../../platform/installation/test-environment.ts'
import { queueMail } from '../../../platform/mail/queue-mail.ts'
import { buildServices } from '../../../start-server.ts'
import { backUp } from '../contents/write-backup.ts'
import { restoreInto } from './restore-backup.ts'

const bucket = {
  endpoint: 'https://s3.exemplo.com.br',
  bucket: 'anexos',
  region: 'r',
  accessKeyId: 'a',
  secretAccessKey: 's',
}

let installation: BackedUpInstallation
beforeAll(async () => {
  installation = await backUpInstallation({ alone: true })
})
afterAll(() => installation.close())

describe('a test restore', () => {
  test("a test restore refuses production's data folder", async () => {
    const { backup, source, emptyTarget, restore } = installation
    await markDataFolder(source.db, source)
    const { db, databaseUrl, ...rest } = await emptyTarget()
    const beside: TestDatabase = { ...rest, db, databaseUrl, dataDir: source.dataDir }
    const before = readdirSync(source.dataDir)
    await expect(restore(beside, { folder: backup })).rejects.toThrow(
      /é a da instalação de onde a cópia veio: um ensaio vai em outra.*--production/,
    )
    expect(readdirSync(source.dataDir)).toEqual(before)
    expect(await db.selectFrom('usuario').select('idUsuario').execute()).toEqual([])
  })

  test("a test restore refuses production's bucket", async () => {
    const { folder, source, safe, emptyTarget } = installation
    const copy = join(folder, 'copia-s3')
    await backUp(source.db, { ...configOf(source), s3: bucket }, copy, () => {})
    const target = await emptyTarget()
    const restoreWith = (s3: typeof bucket) =>
      restoreInto(target.db, { ...configOf(target), s3 }, { folder: copy, keysFolder: safe }, () => {})
    await expect(restoreWith(bucket)).rejects.toThrow(/O bucket anexos é o da instalação/)
    await restoreWith({ ...bucket, bucket: 'anexos-ensaio' })
    // The portal refuses it too, whatever the settings of the restore.
    await expect(assertOwnFiles(target.db, { dataDir: target.dataDir, s3: bucket })).rejects.toThrow(
      /S3_BUCKET é o da produção, e este banco é um ensaio/,
    )
  })

  test('a test restore holds e-mails back until an ADMIN releases the environment', async () => {
    const { backup, emptyTarget, restore, source } = installation
    const target = await emptyTarget()
    await restore(target, { folder: backup })
    const { id, ensaio } = await readInstallation(target.db)
    expect(id).toBe((await readInstallation(source.db)).id)
    expect(ensaio).toMatchObject({ bucket: null })

    const config = loadConfig({ LOG_LEVEL: 'silent', DATA_DIR: target.dataDir, MIN_FREE_MB: '0' })
    const services = buildServices(config, target.db, loadSecrets(undefined, target.dataDir))
    const server = await buildApp(services)
    const sender = testSender(services, server.log)
    await inTransaction(target.db, (tx) =>
      queueMail(tx, services, accountRefusedMail, { para: 'ana@exemplo.com.br', mail: { nome: 'Ana' } }),
    )
    const waiting = async () => (await target.db.selectFrom('mensagem').select('idMensagem').execute()).length
    const queued = await waiting()
    await sender.sendDue()
    expect([queued, await waiting()]).toEqual([2, 2])
    expect(existsSync(config.mail.outbox)).toBe(false)

    const signIn = async (person: { emailUsuario: string }) => {
      const answer = await server.inject({
        method: 'POST',
        url: '/api/usuarios/authorizer',
        payload: { username: person.emailUsuario, password },
      })
      const authorization = `Bearer ${answer.json().access_token}`
      return (method: 'GET' | 'POST', url: string) =>
        server.inject({ method, url: `/api${url}`, headers: { authorization } })
    }
    const admin = await signIn(await createUser({ db: target.db }, { tipoUsuario: 'ADMIN' }))
    const reader = await signIn(await createUser({ db: target.db }))
    expect((await admin('GET', '/sistema/ambiente')).json()).toEqual({
      ensaio: { restauradaEm: ensaio?.restauradaEm, copiaDe: ensaio?.copiaDe, emailsRetidos: 2 },
    })
    expect((await reader('GET', '/sistema/ambiente')).statusCode).toBe(403)
    expect((await reader('POST', '/sistema/ambiente/producao')).statusCode).toBe(403)

    expect((await admin('POST', '/sistema/ambiente/producao')).json()).toEqual({ ensaio: null })
    // The second call changes nothing.
    expect((await admin('POST', '/sistema/ambiente/producao')).statusCode).toBe(200)
    await sender.sendDue()
    expect(await waiting()).toBe(0)
    expect(readdirSync(config.mail.outbox).some((name) => name.includes('conta_recusada'))).toBe(true)
    const released = target.db
      .selectFrom('auditoria')
      .select('idUsuario')
      .where('acao', '=', 'environment.released')
    expect(await released.execute()).toEqual([{ idUsuario: expect.any(Number) }])
    const mark = JSON.parse(readFileSync(join(target.dataDir, 'installation.json'), 'utf8'))
    expect(mark).toEqual({ instalacao: id, ensaio: false })
    await sender.close()
    await server.close()
  })

  test("a test restore refuses to start on production's data folder", async () => {
    const { backup, folder, source, emptyTarget, restore } = installation
    const target = await emptyTarget()
    await restore(target, { folder: backup })
    await markDataFolder(source.db, source)
    await expect(assertOwnFiles(target.db, { dataDir: source.dataDir, s3: undefined })).rejects.toThrow(
      /DATA_DIR \(.*\) é a pasta da produção, e este banco é um ensaio.*npm run restore -- --release/,
    )
    // Production starts on it, and the test on its own folder.
    await assertOwnFiles(source.db, { dataDir: source.dataDir, s3: undefined })
    await assertOwnFiles(target.db, { dataDir: target.dataDir, s3: undefined })
    const copied = mkdtempSync(join(folder, 'pasta-'))
    copyFileSync(join(source.dataDir, 'installation.json'), join(copied, 'installation.json'))
    await expect(assertOwnFiles(target.db, { dataDir: copied, s3: undefined })).rejects.toThrow(/DATA_DIR/)
  })

  test('a test restore with --production holds nothing back', async () => {
    const { backup, emptyTarget, restore } = installation
    const target = await emptyTarget()
    await restore(target, { folder: backup, production: true })
    expect((await readInstallation(target.db)).ensaio).toBeNull()
  })

  // Runs last, because it empties the source.
  test("a test restore refuses production's database, even when it is empty", async () => {
    const { backup, source, restore } = installation
    await sql`drop schema public cascade; create schema public`.execute(source.db)
    rmSync(join(source.dataDir, 'installation.json'))
    await expect(restore(source, { folder: backup })).rejects.toThrow(
      /Este banco de dados é o da instalação de onde a cópia veio.*--production/,
    )
    const { rows } = await sql`select from pg_tables where tablename = 'usuario'`.execute(source.db)
    expect(rows).toEqual([])
    await restore(source, { folder: backup, production: true })
    expect(await source.db.selectFrom('usuario').select('idUsuario').execute()).not.toEqual([])
  })
})
