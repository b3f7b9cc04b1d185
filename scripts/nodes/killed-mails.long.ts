import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chance } from '../../packages/reports/src/demo/random.ts'
import { type OpenDatabase, openDatabase } from '../../packages/server/src/platform/db/open-database.ts'
import { createSubscription } from '../../packages/server/test/distribution/subscriptions.ts'
import { grantReport } from '../../packages/server/test/reports.ts'
import { startSmtp } from '../../packages/server/test/stand-ins/smtp.ts'
import { createUser } from '../../packages/server/test/users.ts'
import { findPostgres } from '../machines/find-tools.ts'
import { endProcess, until } from './bound-process.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { nameOf } from './load-data.ts'

/*
 * Tests that work is done once by three nodes with a real mail server, which is in the process of the test
 * and survives each kill. KILLED_MAILS_SEED repeats a run.
 */

const missing = ['haproxy', 'pgbouncer'].filter((name) => spawnSync(name, ['-V']).error)
if (!findPostgres()) missing.push('PostgreSQL 15')

const people = 60
const rounds = 10
const seed = process.env.KILLED_MAILS_SEED ?? String(Math.floor(Math.random() * 1e9))

interface Delivery {
  round: string
  para: string
  node: number
  /** The end of the message, in milliseconds. */
  at: number
}

describe.skipIf(missing.length > 0)(`three nodes${missing.map((name) => `, without ${name}`)}`, () => {
  const { between } = chance(seed)
  const deliveries: Delivery[] = []
  let servers: Awaited<ReturnType<typeof startSmtp>>[]
  let cluster: Cluster
  let db: OpenDatabase
  let owner: number
  let readers: { idUsuario: number; emailUsuario: string }[]
  let idRelatorio: number

  /** A mail server of its own for each node says which node sends what. */
  const startServer = async (node: number) => {
    const server = await startSmtp({
      onMailFrom: (_address, _session, done) => void setTimeout(done, 100 + Math.random() * 500),
    })
    const push = server.received.push.bind(server.received)
    server.received.push = (...emails) => {
      for (const { subject = '', to } of emails)
        deliveries.push({
          round: /Rodada \d+/.exec(subject)?.[0] ?? '',
          para: to?.[0]?.address ?? '',
          node,
          at: Date.now(),
        })
      return push(...emails)
    }
    return server
  }

  beforeAll(async () => {
    servers = await Promise.all([0, 1, 2].map(startServer))
    cluster = await startCluster({
      hasDemo: true,
      settingsOf: (node) => ({ SMTP_URL: servers[node]?.url ?? '' }),
    })
    db = await openDatabase({
      dataDir: cluster.dataDir,
      databaseUrl: cluster.pair.url(),
      onError: console.error,
    })
    owner = (await createUser({ db }, { nomeUsuario: nameOf(0), emailUsuario: 'dona@exemplo.com.br' }))
      .idUsuario
    const report = await db
      .selectFrom('relatorio')
      .select('idRelatorio')
      .where('papeisRls', '=', sql<string[]>`'{}'`)
      .orderBy('idRelatorio')
      .executeTakeFirstOrThrow()
    idRelatorio = report.idRelatorio
    await db.updateTable('usuario').set({ tipoUsuario: 'ADMIN' }).where('idUsuario', '=', owner).execute()
    readers = []
    for (let n = 1; n <= people; n += 1) {
      const person = { nomeUsuario: nameOf(n), emailUsuario: `leitora${n}@exemplo.com.br` }
      const reader = await createUser({ db }, person)
      await grantReport({ db }, reader.idUsuario, idRelatorio)
      readers.push(reader)
    }
    await emptyQueues()
  })
  afterAll(async () => {
    await db?.destroy()
    await cluster?.stop()
    for (const server of servers ?? []) await server.close()
  })

  /** Leaves the queues as they usually are: used before, and empty when they were last analysed. */
  const emptyQueues = async () => {
    const { idAssinatura } = await subscribe('Antes', [])
    await cluster.pair.query(`
      begin;
      insert into mensagem (conteudo, criada_em, proxima_em) select 'x', now(), now() from generate_series(1, 200);
      insert into assinatura_execucao (id_assinatura, causa, prevista_em, tentar_em)
        select ${idAssinatura}, 'AGENDA', now(), now() from generate_series(1, 200);
      rollback;
      alter table mensagem set (autovacuum_enabled = false);
      alter table assinatura_execucao set (autovacuum_enabled = false);
      analyze mensagem, assinatura_execucao;`)
  }

  const subscribe = (assunto: string, recipients: number[]) => {
    // Twelve hours away: no round reaches the next run.
    const horario = new Date(Date.now() + 12 * 3_600_000).toISOString().slice(11, 16)
    const times = { frequencia: 'DIARIA' as const, fuso: 'UTC', horario, ativa: false }
    return createSubscription({ db }, { ...times, idRelatorio, idDono: owner, assunto }, recipients)
  }

  /** In one statement, as at the full minute, and only when the recipients are stored. */
  const makeDue = async (ids: number[]) => {
    await db
      .updateTable('assinatura')
      .set({ ativa: true, proximaEm: sql`now()` })
      .where('idAssinatura', 'in', ids)
      .execute()
  }

  /** Begins 12 subscriptions that are due now. @returns the seconds in which each was begun and prepared */
  const beginTwelve = async (name: string) => {
    const ids: number[] = []
    for (let n = 0; n < 12; n += 1)
      ids.push((await subscribe(`${name} ${n}`, [readers[n]?.idUsuario ?? 0])).idAssinatura)
    await makeDue(ids)
    const runs = () =>
      db
        .selectFrom('assinaturaExecucao')
        .select(['previstaEm', 'iniciadaEm', 'preparadaEm'])
        .where('idAssinatura', 'in', ids)
        .where('preparadaEm', 'is not', null)
        .execute()
    // Longer than the lease of a run, which showed when one node had claimed all of them.
    await until('each run is prepared', async () => (await runs()).length === 12, 1_800_000)
    const since = (time: Date | null, from: Date) => ((time?.getTime() ?? 0) - from.getTime()) / 1000
    const seconds = (await runs())
      .map(({ previstaEm, iniciadaEm, preparadaEm }) => ({
        begun: since(iniciadaEm, previstaEm),
        prepared: since(preparadaEm, previstaEm),
      }))
      .toSorted((one, other) => one.prepared - other.prepared)
    console.log(name, seconds.map(({ begun, prepared }) => `${begun}/${prepared}`).join(' '))
    return seconds
  }

  test('three nodes begin 12 subscriptions that are due in one minute within 10 seconds', async () => {
    const seconds = await beginTwelve('Três nós')
    expect(Math.max(...seconds.map(({ prepared }) => prepared))).toBeLessThan(10)
  })

  test('three nodes send 60 e-mails once, twice only those in flight of a killed node', {
    timeout: 900_000,
  }, async () => {
    console.log(`KILLED_MAILS_SEED=${seed}`)
    const kills: { round: string; node: number; at: number }[] = []
    const names = Array.from({ length: rounds }, (_, n) => `Rodada ${n + 1}`)
    const of = (name: string) => deliveries.filter(({ round }) => round === name)
    const ids: number[] = []
    for (const round of names) {
      const recipients = readers.map(({ idUsuario }) => idUsuario)
      const { idAssinatura } = await subscribe(round, recipients)
      ids.push(idAssinatura)
      await makeDue([idAssinatura])
      const [after, node, pause] = [between(0, people - 8), between(0, 2), between(0, 300)]
      await explained(until(`${round}: ${after} e-mails were sent`, () => of(round).length >= after, 120_000))
      await sleep(pause)
      const victim = cluster.nodes[node]?.child
      if (victim) await endProcess(victim, 'SIGKILL')
      kills.push({ round, node, at: Date.now() })
      console.log(`${round}: node ${node + 1} killed after ${of(round).length} e-mails`)
      await explained(until(`${round}: what no dead node holds is sent`, () => isIdle(ids), 120_000))
      await cluster.untilReady(node, 120_000)
    }
    await explained(until('each run has ended', () => areEnded(ids), 300_000))
    const repeated = new Map(kills.map((kill) => [kill, 0]))
    for (const round of names) {
      const byPerson = Map.groupBy(of(round), ({ para }) => para)
      // Nobody was skipped.
      expect([...byPerson.keys()].toSorted()).toEqual(readers.map((one) => one.emailUsuario).toSorted())
      // Each but the last was in flight when its node was killed.
      for (const several of byPerson.values())
        for (const { node, at } of several.toSorted((one, other) => one.at - other.at).slice(0, -1)) {
          const kill = kills.find((one) => one.node === node && one.at >= at - 5_000)
          expect(kill, `${round}: node ${node} was not killed after it had sent`).toBeDefined()
          if (kill) repeated.set(kill, (repeated.get(kill) ?? 0) + 1)
        }
    }
    for (const [{ round, node }, count] of repeated)
      console.log(`${round}: node ${node + 1} killed, ${count} of ${people} e-mails were sent twice`)
    expect(Math.max(...repeated.values())).toBeLessThanOrEqual(5)
    const states = await db
      .selectFrom('assinaturaEntrega')
      .innerJoin('assinaturaExecucao', 'assinaturaExecucao.idExecucao', 'assinaturaEntrega.idExecucao')
      .select(['assinaturaEntrega.estado', sql<number>`count(*)`.as('total')])
      .where('idAssinatura', 'in', ids)
      .groupBy('assinaturaEntrega.estado')
      .execute()
    expect(states).toEqual([{ estado: 'ENVIADA', total: rounds * people }])
  })

  test('the only node that is left begins 12 subscriptions within 10 seconds', async () => {
    for (const node of cluster.nodes.slice(1)) await node.stop('SIGKILL')
    const seconds = await beginTwelve('Um nó')
    expect(Math.max(...seconds.map(({ prepared }) => prepared))).toBeLessThan(10)
  })

  /** Adds the state of the queues, and what the nodes logged, to an error. */
  const explained = (waiting: Promise<void>): Promise<void> =>
    waiting.catch(async (error: Error) => {
      const { rows: runs } = await sql<object>`
        select id_assinatura, estado, iniciada_em, ocupada_ate, preparada_em, terminada_em, repeticoes, frase,
          (select jsonb_object_agg(d.estado, d.total) from (select d.estado, count(*) as total
            from assinatura_entrega d where d.id_execucao = e.id_execucao group by d.estado) d) as entregas
        from assinatura_execucao e order by id_execucao desc limit 3`.execute(db)
      const { rows: mails } = await sql<object>`
        select now(), tentativas, erro, count(*), min(proxima_em), max(proxima_em) from mensagem
        group by tentativas, erro`.execute(db)
      const logs = cluster.nodes.map((node) => node.output().slice(-3_000))
      throw new Error(
        [error.message, ...[...runs, ...mails].map((row) => JSON.stringify(row)), ...logs].join('\n'),
      )
    })

  /** Whether all e-mails are queued, and those that are left are held by a node. */
  const isIdle = async (ids: number[]): Promise<boolean> => {
    const { rows } = await sql<{ isIdle: boolean }>`select not exists (
        select from assinatura_execucao where id_assinatura = any(${ids}::int[]) and preparada_em is null
      ) and (select count(*) from assinatura_execucao where id_assinatura = any(${ids}::int[])) = ${ids.length}
      and not exists (select from mensagem where proxima_em <= now()) as is_idle`.execute(db)
    return rows[0]?.isIdle ?? false
  }

  const areEnded = async (ids: number[]): Promise<boolean> => {
    const ended = await db
      .selectFrom('assinaturaExecucao')
      .select('idExecucao')
      .where('idAssinatura', 'in', ids)
      .where('terminadaEm', 'is not', null)
      .execute()
    return ended.length === ids.length
  }
})
