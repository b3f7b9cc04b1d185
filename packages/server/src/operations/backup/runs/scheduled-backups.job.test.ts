import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createConnection } from '../../../../test/reports.ts'
import type { TestApp } from '../../../../test/test-app.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser } from '../../../../test/users.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { lastBackup } from './backup-runs.ts'
import { startScheduledBackups } from './scheduled-backups.job.ts'

const folder = mkdtempSync(join(tmpdir(), 'bi-manager-scheduled-'))
let recipient: string
beforeAll(async () => {
  recipient = await identityToRecipient(await generateX25519Identity())
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const app = useTestApp({}, { alone: true, resets: false })
afterEach(() => app.reset())

/** Starts scheduled backups with these settings, and keeps the log. */
const start = async (target: string, changes: Record<string, string> = {}) => {
  const lines: { level: string; message: string }[] = []
  const logAs = (level: string) => (_: object, message: string) => void lines.push({ level, message })
  const config = loadConfig({
    DATA_DIR: app.dataDir,
    MIN_FREE_MB: '0',
    BACKUP_TIME_ZONE: 'UTC',
    BACKUP_VERIFY: 'false',
    DATABASE_URL: app.databaseUrl ?? '',
    BACKUP_TARGET: target,
    BACKUP_KEY: recipient,
    // Due half an hour ago, so that no other backup becomes due within the test.
    BACKUP_SCHEDULE: new Date(Date.now() - 30 * 60_000).toISOString().slice(11, 16),
    ...changes,
  })
  const log = { info: logAs('info'), error: logAs('error') } as never
  return { ...(await startScheduledBackups({ ...app.services, config }, log)), lines }
}
const bellOf = async (person: Parameters<TestApp['as']>[0]) => {
  const { body } = await (await app.as(person)).get('/notificacoes?naoLidas=true')
  return (body as { tipo: string; texto: string }[]).filter(({ tipo }) => tipo === 'copia_falhou')
}

describe('scheduled backups', { timeout: 600_000 }, () => {
  test('scheduled backups make one verified backup among three processes, while calls are answered', async () => {
    const target = join(folder, 'tres')
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const processes = await Promise.all([1, 2, 3].map(() => start(target, { BACKUP_VERIFY: 'true' })))
    let isMaking = true
    const statuses: number[] = []
    let longest = 0
    const calling = (async () => {
      while (isMaking) {
        const before = performance.now()
        const { status } = await admin.post('/responsavel', { nomeResponsavel: `Pessoa ${statuses.length}` })
        longest = Math.max(longest, performance.now() - before)
        statuses.push(status)
        await sleep(200)
      }
    })()
    await Promise.all(processes.map(({ makeDue }) => makeDue()))
    isMaking = false
    await calling
    expect(new Set(statuses)).toEqual(new Set([201]))
    expect(statuses.length).toBeGreaterThan(5)
    expect(longest).toBeLessThan(5_000)

    const runs = await app.db.selectFrom('copiaSeguranca').selectAll().execute()
    expect(runs).toEqual([expect.objectContaining({ resultado: 'boa', verificada: true, destino: target })])
    const { good } = await lastBackup(app.db)
    expect(readdirSync(target)).toEqual([good?.arquivo])
    expect(processes.flatMap(({ lines }) => lines)).toEqual([{ level: 'info', message: 'a backup was made' }])
    const audit = app.db.selectFrom('auditoria').select('acao').where('acao', '=', 'backup.created')
    expect(await audit.execute()).toHaveLength(1)
    expect(readdirSync(app.dataDir)).not.toContain('backup-work')

    await processes[0]?.makeDue()
    expect(readdirSync(target)).toHaveLength(1)
    for (const { stop } of processes) await stop()
  })

  test('scheduled backups notify ADMINs once of failures, until a backup is made', async () => {
    const admin = await createUser(app, { tipoUsuario: 'ADMIN' })
    const reader = await createUser(app)
    const target = join(folder, 'um-arquivo')
    writeFileSync(target, '')
    const { makeDue, lines, stop } = await start(target)
    await makeDue()
    app.clock.offsetMs += 61 * 60_000
    await makeDue()
    expect((await lastBackup(app.db)).last).toMatchObject({ resultado: 'falhou', tentativa: 2 })
    expect(await bellOf(admin)).toEqual([
      expect.objectContaining({ texto: expect.stringMatching(/EEXIST.* tenta de novo em uma hora/s) }),
    ])
    expect(await bellOf(reader)).toEqual([])
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(2)

    rmSync(target)
    app.clock.offsetMs += 61 * 60_000
    await makeDue()
    expect((await lastBackup(app.db)).last).toMatchObject({ resultado: 'boa', tentativa: 3 })
    expect(await bellOf(admin)).toEqual([])
    await stop()
  })

  test('scheduled backups delete a copy that does not restore, and show ADMINs the reason in the bell and on the status page', async () => {
    const person = await createUser(app, { tipoUsuario: 'ADMIN' })
    const admin = await app.as(person)
    const target = join(folder, 'nao-restaura')
    const { makeDue, stop } = await start(target, { BACKUP_VERIFY: 'true' })
    // As a damaged index would allow.
    await sql`drop index responsavel_nome_unico`.execute(app.db)
    await sql`insert into responsavel (nome_responsavel) values ('Igual'), ('Igual')`.execute(app.db)
    await makeDue()
    expect(readdirSync(target)).toEqual([])
    const { last } = await lastBackup(app.db)
    expect(last).toMatchObject({
      resultado: 'falhou',
      verificada: false,
      erro: expect.stringMatching(
        /^A cópia não passou na conferência e foi apagada: .*responsavel_nome_unico/,
      ),
    })
    expect(await bellOf(person)).toEqual([
      expect.objectContaining({ texto: expect.stringContaining(last?.erro ?? 'nenhum') }),
    ])
    const { copiaSeguranca } = (await admin.get('/sistema/situacao')).body
    expect(copiaSeguranca).toMatchObject({
      estado: 'falha',
      frase: `A última tentativa de cópia de segurança falhou: ${last?.erro}`,
      verificada: null,
    })
    await stop()
  })

  test('scheduled backups keep a copy without the local report service, notify ADMINs, and count it as a failure', async () => {
    const person = await createUser(app, { tipoUsuario: 'ADMIN' })
    const target = join(folder, 'sem-relatorios')
    const local = { provedor: 'local', tipoCredencial: 'service_principal' } as const
    const { idPowerBi } = await createConnection(app, { nome: 'Local', ...local })
    // Nothing answers there.
    const { makeDue, lines, stop } = await start(target, { REPORTS_INTERNAL_URL: 'http://127.0.0.1:9' })
    await makeDue()
    const [name] = readdirSync(target)
    const { last, good } = await lastBackup(app.db)
    expect([last, good]).toEqual([
      expect.objectContaining({
        resultado: 'falhou',
        arquivo: name,
        erro: expect.stringMatching(`^Cópia INCOMPLETA: .* não respondeu.* O resto está em ${name}\\.$`),
      }),
      undefined,
    ])
    expect(lines).toEqual([{ level: 'error', message: 'a backup lacks the local report service' }])
    expect(await bellOf(person)).toEqual([
      expect.objectContaining({ texto: expect.stringContaining('Cópia INCOMPLETA') }),
    ])
    const admin = await app.as(person)
    // Later than the answer that the portal keeps for three seconds.
    app.clock.offsetMs += 3_500
    expect((await admin.get('/sistema/situacao')).body.copiaSeguranca).toMatchObject({
      estado: 'falha',
      frase: expect.stringContaining('Cópia INCOMPLETA'),
    })
    // It is tried again, and the problem ends with the next whole copy.
    await app.db.deleteFrom('powerbi').where('idPowerBi', '=', idPowerBi).execute()
    app.clock.offsetMs += 61 * 60_000
    await makeDue()
    expect((await lastBackup(app.db)).last).toMatchObject({ resultado: 'boa', tentativa: 2 })
    expect(await bellOf(person)).toEqual([])
    await stop()
  })

  test('scheduled backups report the missing space before they write anything', async () => {
    const target = join(folder, 'sem-lugar')
    const { makeDue, stop } = await start(target, { MIN_FREE_MB: '1000000' })
    await makeDue()
    expect((await lastBackup(app.db)).last?.erro).toMatch(
      /^Falta espaço em .*: a cópia precisa de até \d+ MB, e há \d+ MB livres\.$/,
    )
    expect(() => readdirSync(target)).toThrow(/ENOENT/)
    await stop()
  })

  test('scheduled backups leave nothing of a backup that a stop of the portal interrupts, and repeat it after the start', async () => {
    const target = join(folder, 'interrompida')
    const { makeDue, stop } = await start(target, { BACKUP_VERIFY: 'true' })
    const making = makeDue()
    // Written, and being verified.
    while (!readdirOf(target).some((name) => name.endsWith('.part'))) await sleep(10)
    await stop()
    await making
    expect(readdirSync(target)).toEqual([])
    expect(readdirSync(app.dataDir)).not.toContain('backup-work')
    expect((await lastBackup(app.db)).last?.resultado).not.toBe('interrompida')

    const next = await start(target)
    await next.makeDue()
    await next.stop()
    expect(readdirSync(target)).toEqual([expect.stringMatching(/\.tar\.age$/)])
  })

  test('scheduled backups make none in a restored test environment', async () => {
    const ensaio = { restauradaEm: '2026-11-21T06:00:00Z', copiaDe: '2026-11-20T06:00:00Z', bucket: null }
    await app.db
      .updateTable('instalacao')
      .set({ ensaio: JSON.stringify(ensaio) })
      .execute()
    const { makeDue, stop } = await start(join(folder, 'ensaio'))
    await makeDue()
    expect(await lastBackup(app.db)).toEqual({ good: undefined, last: undefined, running: undefined })
    await stop()
  })

  test('scheduled backups refuse a mistyped public key', async () => {
    const mistyped = `${recipient.slice(0, -1)}${recipient.endsWith('q') ? 'p' : 'q'}`
    await expect(start(folder, { BACKUP_KEY: mistyped })).rejects.toThrow(
      /BACKUP_KEY tem um erro de digitação/,
    )
  })
})

const readdirOf = (path: string): string[] => {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
