import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { sealQueue } from '../../operations/audit/seal-chain.ts'
import { verifyChain } from '../../operations/audit/verify-chain.ts'
import { enterPendingLines } from '../../platform/audit/pending-lines.ts'

/* The kind: a report does not open because a line about it cannot be written, or it opens without. */

const isPostgres = process.env.TEST_DATABASE === 'postgres'
const { suite, publish, viewer, issuedLines } = embeddingSuite()

describe.runIf(isPostgres)('while the database only accepts reads', () => {
  let outside: pg.Client
  const setReadOnly = async (value: 'on' | 'off') => {
    const name = new URL(suite.app.databaseUrl ?? '').pathname.slice(1)
    await outside.query(`alter database "${name}" set default_transaction_read_only = ${value}`)
    await outside.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
  }
  beforeEach(async () => {
    outside = new pg.Client({ connectionString: suite.app.databaseUrl })
    await outside.connect()
    await outside.query('set default_transaction_read_only = off')
    rmSync(folder(), { recursive: true, force: true })
    // Each ended connection is logged there.
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })
  afterEach(async () => {
    await setReadOnly('off')
    await outside.end()
  })

  const folder = () => join(suite.app.dataDir, 'audit-pending')
  const waiting = () => {
    try {
      return readdirSync(folder()).sort()
    } catch {
      return []
    }
  }
  const enter = (app = suite.app) =>
    enterPendingLines(app.services, (_name, error) => {
      throw error
    })
  const embed = '/usuarios/relatorio/embed'

  test('a report opens, its line waits sealed on the disk, and is entered once with its own time', async () => {
    const { report, address } = await publish()
    const { post, user } = await viewer(report.idRelatorio)
    await setReadOnly('on')
    // The last use of the session is due to be written.
    suite.app.clock.offsetMs = 5 * 60_000
    const before = Date.now() + suite.app.clock.offsetMs
    const first = await post(embed, address)
    const second = await post(embed, address)
    expect([first.status, second.status, first.body.embedToken]).toEqual([
      200,
      200,
      expect.stringMatching(/^embed-/),
    ])
    expect(waiting()).toHaveLength(2)
    await expect(enter()).rejects.toMatchObject({ code: '25006' })
    expect(waiting()).toHaveLength(2)

    await setReadOnly('off')
    suite.app.clock.offsetMs = 60 * 60_000
    // The process ends after the rows are written and before the file is deleted.
    const kept = waiting().map((name) => ({ name, bytes: readFileSync(join(folder(), name)) }))
    for (const { bytes } of kept) expect(bytes.toString('latin1')).not.toMatch(/embed|relatorio/)
    expect(await enter()).toBe(2)
    expect(waiting()).toEqual([])
    for (const { name, bytes } of kept) writeFileSync(join(folder(), name), bytes)
    await enter()
    // Only the lines of usage are skipped.
    expect(await suite.app.db.selectFrom('visualizacao').selectAll().execute()).toEqual([])
    const lines = await issuedLines()
    expect(lines.map(({ idUsuario, objeto }) => [idUsuario, objeto])).toEqual(
      Array(2).fill([user.idUsuario, `relatorio:${report.idRelatorio}`]),
    )
    for (const { quando } of lines) {
      expect(quando.getTime()).toBeGreaterThanOrEqual(before - 1_000)
      expect(quando.getTime()).toBeLessThan(before + 60_000)
    }
    expect(lines.map(({ idAuditoria }) => idAuditoria)).toEqual(
      [...lines].sort((a, b) => a.quando.getTime() - b.quando.getTime()).map((line) => line.idAuditoria),
    )
    const { refused } = await sealQueue(suite.app.db, suite.app.services.secrets)
    expect(refused).toEqual([])
    const findings: unknown[] = []
    await verifyChain(suite.app.db, suite.app.services.secrets, (finding) => void findings.push(finding))
    expect(findings).toEqual([])
  })

  test.each([
    ['with roles', { papeisRls: ['Leitor'] }],
    ['with an identity', { enviaIdentidade: true }],
    ['with another user', { usuarioIdentidade: 'pessoa' }],
    ['marked as sensitive', { sensivel: true }],
  ])('a report %s stays closed with a sentence', async (_, fields) => {
    const { report, address } = await publish(fields)
    const { post } = await viewer(report.idRelatorio)
    await setReadOnly('on')
    const { status, body } = await post(embed, address)
    expect([status, body.detail]).toEqual([
      503,
      expect.stringMatching(/^A auditoria não pode ser gravada agora/),
    ])
    expect(JSON.stringify(body)).not.toContain('embed-')
    expect(waiting()).toEqual([])
  })

  test('the trail is locked: a report opens, and one with roles stays closed', async () => {
    const [open, closed] = [await publish(), await publish({ papeisRls: ['Leitor'] })]
    const { post } = await viewer(open.report.idRelatorio, { tipoUsuario: 'ADMIN' })
    await outside.query('begin; lock table auditoria in exclusive mode')
    const answers = await Promise.all([post(embed, open.address), post(embed, closed.address)])
    await outside.query('commit')
    expect(answers.map(({ status }) => status)).toEqual([200, 503])
    expect(await issuedLines()).toEqual([])
    expect(await enter()).toBe(1)
    expect(await issuedLines()).toHaveLength(1)
  })

  test('a report stays closed when its line cannot be kept on the disk', async () => {
    const { report, address } = await publish()
    const { post } = await viewer(report.idRelatorio)
    await setReadOnly('on')
    writeFileSync(folder(), 'in the way')
    onTestFinished(() => rmSync(folder(), { force: true }))
    const { status, body } = await post(embed, address)
    expect([status, body.detail]).toEqual([
      503,
      expect.stringMatching(/^A auditoria não pode ser gravada agora/),
    ])
  })

  test('each node enters the lines of its own folder, and a temporary file of a crash is not read', async () => {
    const { report, address } = await publish()
    const { post, token } = await viewer(report.idRelatorio)
    const dataDir = join(suite.app.dataDir, 'node-2')
    mkdirSync(join(dataDir, 'audit-pending'), { recursive: true })
    const config = { ...suite.app.services.config, dataDir }
    const other = await suite.app.anotherServer({ config })
    onTestFinished(() => other.close())
    await setReadOnly('on')
    const payload = { method: 'POST', url: `/api${embed}`, payload: address } as const
    const answer = await other.inject({ ...payload, headers: { authorization: `Bearer ${token}` } })
    expect([answer.statusCode, (await post(embed, address)).status]).toEqual([200, 200])
    writeFileSync(join(dataDir, 'audit-pending', '0-torn.sealed.tmp'), 'v1.half')
    await setReadOnly('off')
    expect(await enter()).toBe(1)
    expect(await issuedLines()).toHaveLength(1)
    const tell = () => expect.unreachable()
    expect(await enterPendingLines({ ...suite.app.services, config }, tell)).toBe(1)
    expect(await issuedLines()).toHaveLength(2)
  })

  test('a file that was altered is told, stays, and stops no other', async () => {
    const { report, address } = await publish()
    const { post } = await viewer(report.idRelatorio)
    await setReadOnly('on')
    await post(embed, address)
    await post(embed, address)
    await setReadOnly('off')
    const [first = ''] = waiting()
    writeFileSync(join(folder(), first), 'v1.x.y.z.w')
    const told: string[] = []
    expect(await enterPendingLines(suite.app.services, (name) => void told.push(name))).toBe(1)
    expect([told, waiting()]).toEqual([[first], [first]])
  })
})
