import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  ApiProblem,
  type Call,
  grantsApi,
  menusApi,
  responsiblesApi,
  sessionsApi,
  usersApi,
} from '@bi-manager/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStream } from '../../packages/server/test/accounts/live-stream.ts'
import { startSmtp } from '../../packages/server/test/stand-ins/smtp.ts'
import { password } from '../../packages/server/test/users.ts'
import { findPostgres } from '../machines/find-tools.ts'
import { endProcess, until } from './bound-process.ts'
import { signIn } from './caller.ts'
import { admin, type Cluster, encrypt, startCluster } from './cluster.ts'

/*
 * Tests promises across processes, on three nodes behind HAProxy and PgBouncer with the manual's
 * files and commands. three-nodes-failover.long.ts stops them under load.
 */

const missing = ['haproxy', 'pgbouncer'].filter((name) => spawnSync(name, ['-V']).error)
if (!findPostgres()) missing.push('PostgreSQL 15')
const callsPerMinute = 300

describe.skipIf(missing.length > 0)(`three nodes${missing.map((name) => `, without ${name}`)}`, () => {
  let cluster: Cluster
  let smtp: Awaited<ReturnType<typeof startSmtp>>
  let manager: Awaited<ReturnType<typeof signIn>>
  /** Milliseconds that each message is delayed, so that a node can be killed while it sends. */
  let smtpDelayMs = 0

  beforeAll(async () => {
    smtp = await startSmtp({
      onMailFrom: (_address, _session, done) => void setTimeout(done, smtpDelayMs),
    })
    cluster = await startCluster({
      settings: {
        SMTP_URL: smtp.url,
        SIGN_IN_FAILURES: '5',
        RATE_LIMIT_PER_MINUTE: String(callsPerMinute),
        RATE_LIMIT_PER_PERSON: '2000000',
      },
    })
    manager = await signIn(cluster.url, admin.username, password)
  })
  afterAll(async () => {
    await cluster?.stop()
    await smtp?.close()
  })

  let people = 0
  const createPerson = async () => {
    people += 1
    const emailUsuario = `pessoa${people}@exemplo.com.br`
    const { idUsuario } = await manager.at(cluster.url)(usersApi.create, {
      body: { nomeUsuario: nameOf(people), emailUsuario, senhaUsuario: password },
    })
    return { idUsuario, emailUsuario, nomeUsuario: nameOf(people) }
  }
  const onAllNodes = <T>(work: (node: string, n: number) => Promise<T>) =>
    Promise.all(cluster.urls.map((node, n) => work(node, n)))
  const [a = 0, b = 1, c = 2] = [0, 1, 2]
  const node = (n: number) => cluster.urls[n] ?? ''

  test('three nodes create one administrator when they start at once on an empty database', async () => {
    const rows = await cluster.pair.query(`select
      (select count(*)::int from usuario) as people,
      (select count(*)::int from auditoria where acao = 'installation.created') as installations`)
    expect(rows).toEqual([{ people: 1, installations: 1 }])
    expect(cluster.nodes.map(({ starts }) => starts())).toEqual([1, 1, 1])
  })

  test('three nodes apply a grant or its removal on one node to the next call on the others', async () => {
    const [report] = await cluster.pair.query<{ id: number }>(`
      with conexao as (
        insert into powerbi (nome, username, segredo, provedor, tipo_credencial)
        values ('Conexão', 'principal', '${encrypt('segredo')}', 'local', 'service_principal') returning id_power_bi
      ), grupo as (
        insert into grupo_relatorio (nome_grupo, id_grupo, id_power_bi)
        select 'Gestão', gen_random_uuid(), id_power_bi from conexao returning id_grupo_relatorio
      )
      insert into relatorio (id_grupo_relatorio, nome_relatorio, operadora_relatorio, report_id)
      select id_grupo_relatorio, 'Entregas', 'CNU', gen_random_uuid() from grupo returning id_relatorio as id`)
    const idRelatorio = report?.id ?? 0
    const { idUsuario, emailUsuario } = await createPerson()
    const person = await signIn(node(c), emailUsuario, password)
    const menus = () => onAllNodes(async (one) => (await person.at(one)(menusApi.list)).length)
    for (let round = 0; round < 20; round += 1) {
      await manager.at(node(round % 3))(grantsApi.create, { body: { idUsuario, idRelatorio } })
      expect(await menus()).toEqual([1, 1, 1])
      await manager.at(node((round + 1) % 3))(grantsApi.removeAll, { params: { idUsuario } })
      expect(await menus()).toEqual([0, 0, 0])
    }
    const stream = await openStream(node(b), person.session.access_token)
    await manager.at(node(a))(grantsApi.create, { body: { idUsuario, idRelatorio } })
    await until('the other node sends the event', () => stream.text().includes('event: acesso'), 5_000)
    await stream.close()
  })

  test('three nodes end the session and the live stream of a user who is blocked on another node', async () => {
    const { idUsuario, emailUsuario } = await createPerson()
    const person = await signIn(node(b), emailUsuario, password)
    const statusOf = (call: Call) =>
      call(sessionsApi.current).then(
        () => 200,
        (error: ApiProblem) => error.status,
      )
    expect(await onAllNodes((one) => statusOf(person.at(one)))).toEqual([200, 200, 200])
    const stream = await openStream(node(c), person.session.access_token)
    const { versao } = await manager.at(node(a))(usersApi.get, { params: { id: idUsuario } })
    await manager.at(node(a))(
      usersApi.update,
      { params: { id: idUsuario }, body: { situacao: 'BLOQUEADO' } },
      { ifMatch: versao },
    )
    expect(await onAllNodes((one) => statusOf(person.at(one)))).toEqual([401, 401, 401])
    await until('the stream ends', () => stream.hasEnded(), 5_000)
  })

  test('three nodes count failed sign-ins together', async () => {
    const { emailUsuario } = await createPerson()
    const statuses: number[] = []
    for (let n = 0; n < 9; n += 1) {
      const attempt = signIn(node(n % 3), emailUsuario, `errada ${n}`)
      statuses.push(
        await attempt.then(
          () => 200,
          (error: ApiProblem) => error.status,
        ),
      )
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429])
  })

  test('three nodes count the calls of a session together', async () => {
    const { emailUsuario } = await createPerson()
    const person = await signIn(node(a), emailUsuario, password)
    let answered = 0
    for (let n = 0; n < callsPerMinute; n += 1) {
      // One after the other on each node, since the limit is exact to a tenth per node.
      const statuses = await onAllNodes((one) =>
        person
          .at(one)(sessionsApi.current)
          .then(() => 1, refused),
      )
      answered += statuses.reduce<number>((sum, one) => sum + one, 0)
    }
    expect(answered).toBeGreaterThanOrEqual(callsPerMinute * 0.9)
    expect(answered).toBeLessThanOrEqual(callsPerMinute * 1.3)
  })

  const inviteMany = async (count: number): Promise<string[]> => {
    const invite = async (n: number) => {
      people += 1
      const emailUsuario = `pessoa${people}@exemplo.com.br`
      await manager.at(node(n % 3))(usersApi.invite, { body: { nomeUsuario: nameOf(people), emailUsuario } })
      return emailUsuario
    }
    return Promise.all(Array.from({ length: count }, (_, n) => invite(n)))
  }
  const recipients = () => smtp.received.map(({ to }) => to?.[0]?.address ?? '').sort()

  test('three nodes send one e-mail for each event', async () => {
    smtp.received.length = 0
    const invited = await inviteMany(30)
    await until('each message has arrived', () => smtp.received.length >= invited.length, 30_000)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(recipients()).toEqual(invited.sort())
  })

  test('three nodes send every e-mail when a node is killed while it sends', async () => {
    smtp.received.length = 0
    smtpDelayMs = 500
    const invited = await inviteMany(30)
    await until('the first messages have arrived', () => smtp.received.length > 0)
    const killed = cluster.nodes[b]?.child
    if (killed) await endProcess(killed, 'SIGKILL')
    await until('each message has arrived', () => new Set(recipients()).size >= invited.length, 180_000)
    smtpDelayMs = 0
    await cluster.untilReady(b)
    expect([...new Set(recipients())].sort()).toEqual(invited.sort())
    // Messages of the killed node may arrive twice, with the same Message-ID.
    expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(invited.length)
    expect(smtp.received.length - invited.length).toBeLessThanOrEqual(5)
  })

  test('three nodes do the housekeeping in one process at a time', async () => {
    const startAt = Date.now() + 5_000
    const answers = await onAllNodes(async (_node, n) => {
      const args = [join(import.meta.dirname, 'housekeep.ts'), String(startAt)]
      const { stdout } = await promisify(execFile)(process.execPath, args, { env: cluster.environment(n) })
      return stdout.trim()
    })
    expect(answers.sort()).toEqual(['false', 'false', 'true'])
  })

  test('three nodes seal a single chain of audit lines', async () => {
    await onAllNodes(async (one, n) => {
      for (let round = 0; round < 40; round += 1) {
        const nomeResponsavel = `Responsável ${n}.${round}`
        await manager.at(one)(responsiblesApi.create, { body: { nomeResponsavel } })
      }
    })
    await until('every line is sealed', async () => {
      const waiting = await cluster.pair.query('select 1 from auditoria_fila limit 1')
      return waiting.length === 0
    })
    const run = join(import.meta.dirname, '../run.js')
    const env = cluster.environment(a)
    const { stdout } = await promisify(execFile)(process.execPath, [run, 'audit-verify'], { env })
    console.log(stdout.trim())
    const [counts] = await cluster.pair.query<{ rows: number; links: number; double: number }>(`select
      (select count(*)::int from auditoria) as rows, (select count(*)::int from auditoria_elo) as links,
      (select count(*)::int - count(distinct id_auditoria)::int from auditoria_elo) as double`)
    expect(counts).toEqual({ rows: counts?.rows, links: counts?.rows, double: 0 })
  })
})

const refused = (error: unknown): number => {
  if (error instanceof ApiProblem && error.status === 429) return 0
  throw error
}

/** Names differ by more than a digit, which would count as a look-alike. */
const nameOf = (n: number): string => {
  const names = ['Alba', 'Bruna', 'Caio', 'Davi', 'Elisa', 'Fabio', 'Gilda', 'Heitor', 'Iara', 'Joel']
  const surnames = [
    'Prado',
    'Lemos',
    'Souza',
    'Vieira',
    'Barros',
    'Moura',
    'Peixoto',
    'Tavares',
    'Rocha',
    'Nunes',
  ]
  return `${names[n % 10]} ${surnames[Math.floor(n / 10) % 10]}`
}
