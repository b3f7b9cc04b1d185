import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { statusServer } from '../../../test/operations/system-status.ts'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import { groupId, reportId, startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { programVersion } from '../../platform/config/version.ts'
import { migrationNames } from '../../platform/db/migrations/migrate.ts'
import { dayOf } from '../../platform/lib/local-time.ts'

let provider: Awaited<ReturnType<typeof startProvider>>
let boss: Awaited<ReturnType<typeof createUser>>
let admin: Awaited<ReturnType<TestApp['as']>>
let closing: (() => Promise<unknown> | unknown)[] = []
const addresses = () => ({
  POWERBI_AUTHORITY_URL: provider.origin,
  POWERBI_API_URL: provider.origin,
  POWERBI_EMBED_URL: provider.origin,
})
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(() => addresses())
beforeEach(async () => {
  provider.restore()
  boss = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' })
  admin = await app.as(boss)
})
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

const path = '/sistema/situacao'
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const serverWith = (environment: Record<string, string> = {}) =>
  statusServer(app, admin, { ...addresses(), ...environment }, closing)
const statusWith = async (environment: Record<string, string> = {}) =>
  (await serverWith(environment)).status()

const listen = async (server: Server) => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as AddressInfo).port
}
/** Accepts connections and never answers. */
const startSilent = async () => {
  const sockets = new Set<{ destroy: () => void }>()
  const port = await listen(createServer((socket) => void sockets.add(socket)))
  closing.unshift(() => {
    for (const socket of sockets) socket.destroy()
  })
  return port
}

describe('GET /sistema/situacao', () => {
  test('the status reports version, node, database, storage and queues', async () => {
    const status = await statusWith({ MIN_FREE_MB: '1' })
    expect(status.no).toMatchObject({
      nome: `${hostname()}:3000`,
      versao: programVersion,
      versaoNode: process.version,
    })
    const started = Date.parse(status.no.iniciadoEm)
    expect(Math.abs(Date.now() - started - status.no.segundosNoAr * 1000)).toBeLessThan(2_000)
    expect(status.banco).toMatchObject({
      estado: 'ok',
      tipo: 'embutido',
      ultimaMigracao: (await migrationNames()).at(-1),
    })
    expect(status.banco.versao).toMatch(/^1[5-9]/)
    expect(status.banco.tamanhoBytes).toBeGreaterThan(1_000_000)
    expect(status.disco).toMatchObject({ estado: 'ok', pasta: app.dataDir, minimoBytes: 2 ** 20 })
    expect(status.disco.livreBytes).toBeGreaterThan(2 ** 20)
    expect(status.disco.totalBytes).toBeGreaterThanOrEqual(status.disco.livreBytes ?? 0)
    expect(status.servicoRelatorios).toBeNull()
    expect(status.filas.lista.map(({ fila }) => fila)).toEqual([
      'emails',
      'exportacoes',
      'auditoria',
      'arquivos',
    ])
  })

  test('the status reports PostgreSQL when DATABASE_URL is set', async () => {
    expect((await statusWith({ DATABASE_URL: 'postgres://banco/bi' })).banco.tipo).toBe('postgresql')
  })

  test('GET /sistema/situacao warns of a nearly full disk and fails on a full one', async () => {
    const { livreBytes } = (await statusWith()).disco
    const free = Math.floor((livreBytes ?? 0) / 2 ** 20)
    const nearly = await statusWith({ MIN_FREE_MB: String(Math.min(1_000_000, Math.floor(free / 2))) })
    expect(nearly.disco).toMatchObject({
      estado: 'atencao',
      frase: 'O disco de DATA_DIR está quase cheio: libere espaço ou aumente o disco.',
    })
    if (free >= 900_000) return
    const full = await statusWith({ MIN_FREE_MB: String(free + 100_000) })
    expect([full.disco.estado, full.estado]).toEqual(['falha', 'falha'])
  })

  test('GET /sistema/situacao caches its answer for three seconds', async () => {
    const server = await serverWith()
    expect((await server.status()).conexoes.total).toBe(0)
    await createConnection(app)
    expect((await server.status()).conexoes.total).toBe(0)
    app.clock.offsetMs += 3_500
    expect((await server.status()).conexoes.total).toBe(1)
  })

  test('GET /sistema/situacao does not wait for services that never answer', async () => {
    const port = await startSilent()
    const started = performance.now()
    const status = await statusWith({
      PUBLIC_URL: `https://127.0.0.1:${port}`,
      REPORTS_URL: `http://127.0.0.1:${port}`,
      SMTP_URL: `smtps://127.0.0.1:${port}`,
      OIDC_ISSUER: `https://127.0.0.1:${port}/empresa`,
      OIDC_CLIENT_ID: 'portal',
    })
    // The limit leaves room for a busy machine.
    expect(performance.now() - started).toBeLessThan(8_000)
    expect(status.servicoRelatorios?.estado).toBe('falha')
    expect(status.certificados).toMatchObject({ estado: 'desconhecido', lista: [{}, {}, {}] })
    expect(status.banco.estado).toBe('ok')
  })

  test('GET /sistema/situacao is allowed for ADMINs only', async () => {
    const person = await app.as(await createUser(app))
    expect((await person.get(path)).status).toBe(403)
    expect((await app.anonymous.get(path)).status).toBe(401)
    expect((await admin.get(path)).status).toBe(200)
  })
})

describe('the report service in GET /sistema/situacao', () => {
  test('the report service in GET /sistema/situacao is shown with its reports while it answers, and as a failure while it does not', async () => {
    let answer = { status: 200, body: { situacao: 'pronto', relatorios: 7, avisos: 0 } as object }
    const port = await listen(
      createHttpServer((_request, response) => {
        response.writeHead(answer.status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(answer.body))
      }),
    )
    const REPORTS_URL = `http://127.0.0.1:${port}`
    const item = async () => (await statusWith({ REPORTS_URL })).servicoRelatorios
    expect(await item()).toMatchObject({ estado: 'ok', endereco: REPORTS_URL, relatorios: 7 })
    answer = { status: 200, body: { situacao: 'pronto', relatorios: 7, avisos: 2 } }
    expect(await item()).toMatchObject({ estado: 'atencao', avisos: 2 })
    answer = { status: 503, body: { situacao: 'carregando' } }
    expect(await item()).toMatchObject({ estado: 'atencao', relatorios: null })
    const gone = await statusWith({ REPORTS_URL: 'http://127.0.0.1:9' })
    expect(gone.servicoRelatorios).toMatchObject({
      estado: 'falha',
      frase: expect.stringContaining('não responde em http://127.0.0.1:9'),
    })
  })
})

describe('the connections in GET /sistema/situacao', () => {
  const register = async () => {
    const { idPowerBi } = await createConnection(app, { nome: 'Matriz' })
    const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi, idGrupo: groupId })
    await createReport(app, { idGrupoRelatorio, reportId })
    return idPowerBi
  }

  test('the connections in GET /sistema/situacao show the result of the last test', async () => {
    const id = await register()
    expect((await statusWith()).conexoes).toMatchObject({
      estado: 'desconhecido',
      total: 1,
      lista: [
        { idPowerBI: id, nome: 'Matriz', frase: 'Nunca foi testada: use Testar conexão.', testadaEm: null },
      ],
    })
    expect((await admin.post(`/usuarios/powerbi/${id}/testar`)).status).toBe(200)
    const tested = (await statusWith()).conexoes
    expect(tested).toMatchObject({ estado: 'ok', lista: [{ estado: 'ok' }] })
    expect(Date.parse(tested.lista[0]?.testadaEm ?? '')).toBeGreaterThan(Date.now() - minute)
    provider.answer('token', () => ({ status: 401, body: { error: 'invalid_client' } }))
    const { body } = await admin.post(`/usuarios/powerbi/${id}/testar`)
    const failed = (await statusWith()).conexoes
    expect(failed.estado).toBe('falha')
    expect(failed.lista).toMatchObject([{ estado: 'falha', frase: body.etapas[0].detalhe }])
  })

  test('the connections in GET /sistema/situacao need another test after an edit', async () => {
    const id = await register()
    await admin.post(`/usuarios/powerbi/${id}/testar`)
    const { body } = await admin.get(`/usuarios/powerbi/${id}`)
    const saved = await admin.put(`/usuarios/powerbi/${id}`, { ...body, nome: 'Matriz nova' })
    expect(saved.status).toBe(200)
    expect((await statusWith()).conexoes.lista).toMatchObject([
      { estado: 'desconhecido', frase: 'Foi editada depois do último teste: teste de novo.' },
    ])
  })
})

describe('certificates and secrets in GET /sistema/situacao', () => {
  const fixture = (name: string) =>
    readFile(new URL(`../../../../e2e/fixtures/loopback-${name}.pem`, import.meta.url))

  test('certificates and secrets in GET /sistema/situacao are shown with their dates, those that need action first', async () => {
    const server = createHttpsServer({ key: await fixture('key'), cert: await fixture('cert') })
    const port = await listen(server)
    const inTenDays = dayOf(new Date(Date.now() + 10 * day))
    const inAYear = dayOf(new Date(Date.now() + 365 * day))
    await createConnection(app, { nome: 'Longe', validadeSegredo: inAYear })
    await createConnection(app, { nome: 'Sem data' })
    await createConnection(app, { nome: 'Senha de pessoa', tipoCredencial: 'master_user' })
    const read = await createConnection(app, { nome: 'Lida', validadeSegredo: inTenDays })
    const venceEm = new Date('2099-01-31T12:00:00Z')
    await app.db
      .insertInto('leituraSegredo')
      .values({ idPowerBi: read.idPowerBi, versao: 1, proximaEm: venceEm, resultado: 'lida', venceEm })
      .execute()
    const { idPowerBi } = await createConnection(app, { nome: 'Perto', validadeSegredo: inTenDays })
    const status = await statusWith({
      PUBLIC_URL: `https://127.0.0.1:${port}`,
      OIDC_ISSUER: 'http://127.0.0.1:9/empresa',
      OIDC_CLIENT_ID: 'portal',
      OIDC_CLIENT_SECRET: 'segredo',
      OIDC_CLIENT_SECRET_EXPIRES: '2020-01-31',
    })
    expect(status.certificados).toMatchObject({
      estado: 'ok',
      lista: [{ origem: 'PUBLIC_URL', estado: 'ok', venceEm: '2126-10-28T09:15:00.000Z' }],
    })
    expect(status.segredos.lista).toMatchObject([
      {
        origem: 'OIDC_CLIENT_SECRET',
        estado: 'falha',
        frase:
          'Venceu em 31/01/2020: crie outro segredo no provedor e troque OIDC_CLIENT_SECRET na configuração.',
        rota: null,
      },
      {
        nome: 'Perto',
        origem: `powerbi:${idPowerBi}`,
        estado: 'atencao',
        frase: expect.stringMatching(/^Vence em 10 dias \(/),
        rota: `/Registerpowerbi/${idPowerBi}`,
      },
      { nome: 'Sem data', estado: 'desconhecido', frase: expect.stringMatching(/^Sem data de validade: /) },
      { nome: 'Longe', estado: 'ok' },
      { nome: 'Lida', estado: 'ok', frase: 'Vale até 31/01/2099, lido do Microsoft Entra.' },
    ])
    expect([status.segredos.estado, status.estado]).toEqual(['falha', 'falha'])
  })
})

describe('the last backup in GET /sistema/situacao', () => {
  const scheduled = (schedule: string) => ({
    BACKUP_SCHEDULE: schedule,
    BACKUP_TIME_ZONE: 'UTC',
    BACKUP_TARGET: '/copias',
    BACKUP_KEY: 'age1qyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqs3290gq',
  })
  const run = (iniciadaEm: Date, fields = {}) =>
    app.db
      .insertInto('copiaSeguranca')
      .values({
        iniciadaEm,
        ativaEm: iniciadaEm,
        terminadaEm: iniciadaEm,
        resultado: 'boa',
        destino: '/copias',
        verificada: true,
        ...fields,
      })
      .execute()
  const item = async (environment: Record<string, string> = {}) =>
    (await statusWith(environment)).copiaSeguranca

  test('the last backup in GET /sistema/situacao is read from the audit trail, and is overdue after a week without a schedule', async () => {
    expect(await item()).toEqual({
      estado: 'atencao',
      frase: 'Nenhuma cópia de segurança foi feita: agende-as com BACKUP_SCHEDULE.',
      ultimaEm: null,
      destino: null,
      verificada: null,
      emAndamentoDesde: null,
    })
    await app.services.writeAudit(app.db, { action: 'backup.created', idUsuario: null })
    expect(await item()).toMatchObject({ estado: 'ok', ultimaEm: expect.any(String) })
    app.clock.offsetMs = 7 * day + minute
    admin = await app.as(boss)
    expect(await item()).toMatchObject({ estado: 'atencao', frase: expect.stringContaining('há 7 dias') })
  })

  test('the last backup in GET /sistema/situacao is shown with its place, and is overdue six hours after a missed scheduled time', async () => {
    const made = new Date(Date.now() - minute)
    await run(made)
    const time = new Date(made.getTime() - minute).toISOString().slice(11, 16)
    expect(await item(scheduled(time))).toMatchObject({
      estado: 'ok',
      ultimaEm: made.toISOString(),
      destino: '/copias',
      verificada: true,
    })
    app.clock.offsetMs = day + 5 * hour
    admin = await app.as(boss)
    expect((await item(scheduled(time))).estado).toBe('ok')
    app.clock.offsetMs = day + 7 * hour
    admin = await app.as(boss)
    expect(await item(scheduled(time))).toMatchObject({
      estado: 'atencao',
      frase: expect.stringContaining('há 1 dia: faça outra'),
    })
  })

  test('the last backup in GET /sistema/situacao is a failure with its reason until another one is made', async () => {
    await run(new Date(Date.now() - 2 * hour))
    const erro = 'O destino não tem espaço.'
    const failed = { resultado: 'falhou', verificada: false, erro }
    await run(new Date(Date.now() - hour), failed)
    expect(await item()).toMatchObject({
      estado: 'falha',
      frase: `A última tentativa de cópia de segurança falhou: ${erro}`,
    })
    await run(new Date(Date.now() - minute))
    expect((await item()).estado).toBe('ok')
  })

  test('the last backup in GET /sistema/situacao shows a run in progress, and requires none in a test environment', async () => {
    const begun = new Date(Date.now() - minute)
    await run(begun, { terminadaEm: null, resultado: null, verificada: false })
    expect((await item()).emAndamentoDesde).toBe(begun.toISOString())
    const ensaio = JSON.stringify({ restauradaEm: begun, copiaDe: begun, bucket: null })
    await app.db.updateTable('instalacao').set({ ensaio }).execute()
    try {
      expect((await item()).estado).toBe('desconhecido')
    } finally {
      await app.db.updateTable('instalacao').set({ ensaio: null }).execute()
    }
  })
})

describe('the queues in GET /sistema/situacao', () => {
  test('the queues warn of work that waits too long', async () => {
    const now = new Date()
    const conteudo = app.services.secrets.encrypt('carta')
    await app.db.insertInto('mensagem').values({ conteudo, criadaEm: now, proximaEm: now }).execute()
    await app.db
      .insertInto('arquivoPendente')
      .values({ arquivo: crypto.randomUUID(), criadoEm: now })
      .execute()
    const fresh = await statusWith()
    expect(fresh.filas).toMatchObject({ estado: 'ok' })
    expect(fresh.filas.lista).toMatchObject([
      { fila: 'emails', aguardando: 1, maisAntigaEm: now.toISOString(), estado: 'ok' },
      { fila: 'exportacoes', aguardando: 0 },
      // The sign-in of this test.
      { fila: 'auditoria', aguardando: 1, estado: 'ok' },
      { fila: 'arquivos', aguardando: 1, estado: 'ok' },
    ])
    app.clock.offsetMs = 3 * hour
    admin = await app.as(boss)
    const late = await statusWith()
    expect(late.filas.estado).toBe('atencao')
    expect(late.filas.lista).toMatchObject([
      { estado: 'atencao', frase: 'O mais antigo espera há 3 horas: veja “E-mail” nesta página.' },
      { estado: 'ok' },
      { estado: 'atencao' },
      { estado: 'atencao' },
    ])
  })
})
