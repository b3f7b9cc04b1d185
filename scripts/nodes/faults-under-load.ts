import { setTimeout as sleep } from 'node:timers/promises'
import { publishedReportsApi, publishingApi } from '@bi-manager/contract'
import pg from 'pg'
import { openDatabase } from '../../packages/server/src/platform/db/open-database.ts'
import { createReport, createWorkspace } from '../../packages/server/test/reports.ts'
import { startProvider } from '../../packages/server/test/stand-ins/provider-stand-in.ts'
import { startSmtp } from '../../packages/server/test/stand-ins/smtp.ts'
import { createSubscription } from '../../packages/server/test/subscriptions.ts'
import { password } from '../../packages/server/test/users.ts'
import { until } from './bound-process.ts'
import { callerOf, signIn } from './caller.ts'
import { admin, encrypt, startCluster } from './cluster.ts'
import { addLoadData } from './load-data.ts'
import { createMixedLoad } from './mixed-load.ts'
import { createTally } from './tally.ts'

/*
 * Makes each fault once on three nodes that also have a mixed load, and prints what people notice.
 * `node scripts/nodes/faults-under-load.ts 14,15`: only these faults.
 */

const chosen = new Set((process.argv[2] ?? '13,13b,14,15,16,17').split(','))
const rate = Number(process.env.RATE ?? 3)
const say = (...words: unknown[]) => console.log(new Date().toISOString().slice(11, 19), ...words)

/** Slow addresses take this long. */
const slowMs = 30_000
const delivered = new Map<string, number>()
const smtpOptions = {
  onRcptTo: ({ address }: { address: string }, _session: unknown, done: (error?: Error) => void) =>
    address.startsWith('lenta') ? void setTimeout(done, slowMs) : done(),
}
const listen = async (port = 0) => {
  const server = await startSmtp(smtpOptions as never, port)
  const push = server.received.push.bind(server.received)
  server.received.push = (...emails) => {
    for (const { to } of emails) delivered.set(to?.[0]?.address ?? '', Date.now())
    return push(...emails)
  }
  return server
}
let smtp = await listen()
const provider = await startProvider()
const cluster = await startCluster({
  hasDemo: true,
  settings: {
    SMTP_URL: smtp.url,
    POWERBI_AUTHORITY_URL: provider.origin,
    POWERBI_API_URL: provider.origin,
    POWERBI_EMBED_URL: provider.origin,
    RATE_LIMIT_PER_PERSON: '2000000',
  },
})
say('the cluster is ready')
const ending = new AbortController()
let loading: Promise<void> | undefined
let logged = 0
for (const { child } of cluster.nodes)
  for (const output of [child.stdout, child.stderr])
    output?.on('data', (chunk: Buffer) => {
      logged += chunk.length
    })
const { dataDir, pair } = cluster
const db = await openDatabase({ dataDir, databaseUrl: pair.url(), onError: console.error })
/** Connects directly, as the owner of the tables. */
const connectOwner = async () => {
  const client = new pg.Client({ connectionString: pair.url() })
  await client.connect()
  return client
}
const results: Record<string, unknown> = {}
const record = (name: string, value: unknown) => {
  results[name] = value
  say(name, JSON.stringify(value))
}

try {
  const people = await addLoadData(cluster)
  const tally = createTally()
  const load = await createMixedLoad(cluster, people, tally)
  loading = load.run(rate, ending.signal)
  const manager = await signIn(cluster.url, admin.username, admin.password)
  const viewer = await signIn(cluster.url, people.viewers[0] ?? '', password)
  interface Seen {
    status: number
    ms: number
    detail?: string
    retryAfter?: string | null
  }
  const ask = async (who: typeof manager, method: string, path: string, body?: unknown): Promise<Seen> => {
    const at = performance.now()
    try {
      const response = await fetch(`${cluster.url}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${who.session.access_token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const ms = Math.round(performance.now() - at)
      const { detail } = response.ok ? { detail: undefined } : (JSON.parse(text) as { detail?: string })
      return { status: response.status, ms, detail, retryAfter: response.headers.get('retry-after') }
    } catch (error) {
      return { status: 0, ms: Math.round(performance.now() - at), detail: String(error) }
    }
  }
  /** Starts a call every `everyMs` until `forMs` have passed; resolves when all are answered. */
  const steadily = async (everyMs: number, forMs: number, call: (n: number) => Promise<Seen>) => {
    const all: Promise<Seen>[] = []
    const started = Date.now()
    for (let n = 0; Date.now() - started < forMs; n += 1) {
      all.push(call(n))
      await sleep(everyMs)
    }
    return Promise.all(all)
  }
  const summary = (seen: Seen[]) => {
    const statuses: Record<string, number> = {}
    const sentences: Record<string, number> = {}
    for (const { status, detail } of seen) {
      statuses[status] = (statuses[status] ?? 0) + 1
      if (detail) sentences[detail] = (sentences[detail] ?? 0) + 1
    }
    const ms = seen.map((one) => one.ms).sort((a, b) => a - b)
    const [medianMs, p95Ms, longestMs] = [0.5, 0.95, 1].map((part) => ms[Math.ceil(ms.length * part) - 1])
    return { calls: seen.length, statuses, medianMs, p95Ms, longestMs, sentences }
  }
  const reads = ['/usuarios/menus', '/usuarios/sessao', '/notificacoes/resumo', '/usuarios/favoritos']
  const readAny = (n: number) => ask(n % 2 ? viewer : manager, 'GET', reads[n % reads.length] ?? '')

  /** Counts failures of the mixed load meanwhile. */
  const meanwhile = async <T>(work: () => Promise<T>) => {
    // Exports need the built page, which is absent here.
    const real = (all: { kind: string; what: string }[]) =>
      all.filter(({ kind }) => !kind.startsWith('exporta'))
    const { length: lost } = real(tally.lost)
    const { length: seen } = real(tally.failures)
    const calls = tally.total()
    const value = await work()
    const failures = real(tally.failures).slice(seen)
    return {
      value,
      load: {
        calls: tally.total() - calls,
        failedAttempts: real(tally.lost).length - lost,
        seenByPeople: failures.length,
        failures: failures.map(({ kind, what }) => `${kind}: ${what}`),
      },
    }
  }
  const queueMails = async (addresses: string[]) => {
    const values = addresses.map((para, n) => {
      const link = 'https://x/y?token=z'
      const mail = { modelo: 'convite', nome: 'Ana', convidadoPor: 'Bia', link, dias: 7 }
      return `('${encrypt(JSON.stringify({ para, mail }))}', now(), now() + interval '${n} microseconds')`
    })
    await pair.query(`insert into mensagem (conteudo, criada_em, proxima_em) values ${values.join()}`)
  }
  const mails = async (name: string, slow: number, prefix: string) => {
    const others = Array.from({ length: 60 }, (_, n) => `${prefix}${n}@exemplo.com.br`)
    const slowOnes = Array.from({ length: slow }, (_, n) => `lenta-${prefix}${n}@lento.com.br`)
    // The slow ones are spread evenly among the others, the first of them in front.
    const every = Math.ceil(60 / slow)
    const mixed = others.flatMap((one, n) => (n % every === 0 ? [slowOnes[n / every] as string, one] : [one]))
    const at = Date.now()
    await queueMails(mixed)
    await until('the others are delivered', () => others.every((one) => delivered.has(one)), 600_000)
    const times = others.map((one) => (delivered.get(one) ?? 0) - at).sort((a, b) => a - b)
    record(name, { medianMs: times[30], lastMs: times.at(-1) })
  }

  if (chosen.has('13')) {
    await mails('13: 1 slow dialogue of 30 s, 60 others', 1, 'um')
    await sleep(slowMs + 5_000)
    await mails('13: 12 slow dialogues of 30 s, 60 others', 12, 'doze')
    await sleep(slowMs + 5_000)
  }
  if (chosen.has('13b')) {
    const { port } = smtp
    await smtp.close()
    const waiting = Array.from({ length: 60 }, (_, n) => `espera${n}@exemplo.com.br`)
    await queueMails(waiting)
    await sleep(180_000)
    const at = Date.now()
    smtp = await listen(port)
    await until('each waiting mail is delivered', () => waiting.every((one) => delivered.has(one)), 1_200_000)
    const times = waiting.map((one) => (delivered.get(one) ?? 0) - at).sort((a, b) => a - b)
    const [firstMs, medianMs, lastMs] = [times[0], times[30], times.at(-1)]
    record('13: after an outage of 3 min, 60 mails', { firstMs, medianMs, lastMs })
  }
  if (chosen.has('14')) {
    const { value, load: loaded } = await meanwhile(async () => {
      const holder = await connectOwner()
      await holder.query('begin; lock table responsavel in access exclusive mode')
      const lasts = 60_000
      const release = sleep(lasts).then(() => holder.query('commit'))
      const ready = steadily(500, lasts, async (n) => {
        const at = performance.now()
        const { status } = await fetch(`${cluster.urls[n % 3]}/readyz`)
        return { status, ms: Math.round(performance.now() - at) }
      })
      const writes = steadily(333, lasts, (n) =>
        ask(manager, 'POST', '/responsavel', { nomeResponsavel: `Preso ${n}` }),
      )
      const others = steadily(100, lasts, readAny)
      const all = await Promise.all([writes, others, ready])
      await release
      await holder.end()
      return Object.fromEntries(all.map((seen, n) => [['writes', 'others', 'readyz'][n], summary(seen)]))
    })
    record('14: table locked for 60 s', { ...value, load: loaded })
    await sleep(20_000)
  }
  if (chosen.has('15')) {
    interface ReportRow {
      idGrupo: string
      reportId: string
      papeis: number
    }
    const rows = await pair.query<ReportRow>(`select g.id_grupo as "idGrupo", r.report_id as "reportId",
      cardinality(r.papeis_rls) as papeis from relatorio r join grupo_relatorio g using (id_grupo_relatorio)
      join powerbi p using (id_power_bi) where p.provedor = 'local' order by r.id_relatorio`)
    const open = ({ idGrupo, reportId }: ReportRow) =>
      ask(manager, 'POST', '/usuarios/relatorio/embed', { groupId: idGrupo, reportId })
    const opening: ReportRow[] = []
    for (const row of rows) if ((await open(row)).status === 200) opening.push(row)
    const plain = opening.filter(({ papeis }) => papeis === 0)
    const guarded = opening.filter(({ papeis }) => papeis > 0)
    say(`plain reports: ${plain.length}, with roles: ${guarded.length}`)
    const owner = await connectOwner()
    const set = async (value: 'on' | 'off') => {
      await owner.query('set default_transaction_read_only = off')
      await owner.query(`alter database bi_manager set default_transaction_read_only = ${value}`)
      await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and usename = current_user`)
    }
    const lasts = 25_000
    const round = async () => {
      const before = logged
      const all = await Promise.all([
        steadily(500, lasts, (n) =>
          ask(manager, 'POST', '/responsavel', { nomeResponsavel: `${Date.now()} ${n}` }),
        ),
        steadily(200, lasts, readAny),
        steadily(500, lasts, (n) => open(plain[n % plain.length] as ReportRow)),
        steadily(500, lasts, (n) => open(guarded[n % guarded.length] as ReportRow)),
      ])
      const names = ['writes', 'reads', 'plain reports', 'reports with roles']
      const found = Object.fromEntries(all.map((seen, n) => [names[n], summary(seen)]))
      return { ...found, logBytes: logged - before }
    }
    record('15: the same without a fault', await meanwhile(round))
    const { value, load: loaded } = await meanwhile(async () => {
      await set('on')
      await sleep(3_000)
      const during = await round()
      await set('off')
      return during
    })
    await owner.end()
    record('15: read-only for 25 s', { ...value, load: loaded })
    await sleep(10_000)
  }
  if (chosen.has('16')) {
    const [report] = await pair.query<{ id: number }>(
      "select id_relatorio as id from relatorio where nome_relatorio like 'Gestão %' limit 1",
    )
    const order = (who: typeof manager) =>
      ask(who, 'POST', `/usuarios/relatorio/${report?.id}/exportacao`, { formato: 'PDF' })
    const one = await signIn(cluster.url, people.viewers[1] ?? '', password)
    provider.answer('exportTo', () => ({ delay: 10 * 60_000 }))
    const unanswered = [await order(one), await order(one)]
    provider.restore()
    record('16: exports without an answer', { unanswered, third: await order(one) })
    const two = await signIn(cluster.url, people.viewers[2] ?? '', password)
    provider.answer('exportTo', () => ({ status: 500 }))
    const failed: Seen[] = []
    for (let n = 0; n < 30; n += 1) failed.push(await order(two))
    provider.restore()
    record('16: after 30 failed exports', { failed: summary(failed), next: await order(two) })
  }
  if (chosen.has('17')) {
    const publisher = await signIn(cluster.url, admin.username, admin.password)
    const call = callerOf(cluster.url, publisher.session.access_token)
    const csv = (value: number) => new Blob([`Unidade;Faltas\nNorte;${value}\nSul;${value + 1}\n`])
    const send = async (value: number) =>
      (await call(publishingApi.send, { body: { nome: 'faltas.csv' }, file: csv(value) } as never)) as {
        rascunho: string
      }
    const first = await send(10)
    const reading = await call(publishingApi.read, {
      params: { rascunho: first.rascunho },
      body: { nomeRelatorio: 'Faltas' },
    } as never)
    const published = (await call(publishingApi.publish, {
      params: { rascunho: first.rascunho },
      body: {
        workspace: { idGrupo: null, nome: 'Faltas' },
        relatorio: (reading as { relatorio: string }).relatorio,
      },
    } as never)) as { erros: string[]; idPowerBI: number; idGrupo: string; reportId: string }
    say('published', published.erros)
    const at = { db }
    const workspace = await createWorkspace(at, {
      idPowerBi: published.idPowerBI,
      idGrupo: published.idGrupo,
      nomeGrupo: 'Faltas',
    })
    const registered = await createReport(at, {
      idGrupoRelatorio: workspace.idGrupoRelatorio,
      nomeRelatorio: 'Faltas',
      reportId: published.reportId,
    })
    const [owner] = await pair.query<{ id: number }>(
      `select id_usuario as id from usuario where email_usuario = '${admin.username}'`,
    )
    const subscription = await createSubscription(at, {
      idRelatorio: registered.idRelatorio,
      idDono: owner?.id ?? 0,
      frequencia: 'ATUALIZACAO',
      horario: null as never,
    })
    await until(
      'the data were read once',
      async () => {
        const known = await pair.query(`select 1 from conjunto_relatorio c join leitura_atualizacoes l
        on l.id_conjunto = c.id_conjunto where c.id_relatorio = ${registered.idRelatorio} and l.concluida_em is not null`)
        return known.length > 0
      },
      1_200_000,
    )
    say('the data were read once')
    await sleep(70_000)
    const runs = async () =>
      (
        await pair.query(
          `select 1 from assinatura_execucao where id_assinatura = ${subscription.idAssinatura}`,
        )
      ).length
    const had = await runs()
    const [table] = (await call(publishedReportsApi.tables, {
      params: { reportId: published.reportId },
    } as never)) as { nome: string }[]
    const again = await signIn(cluster.url, admin.username, admin.password)
    const second = await send(20)
    const order = { rascunho: second.rascunho, tabela: table?.nome }
    const answer = await ask(again, 'POST', `/publicacoes/relatorios/${published.reportId}/dados`, order)
    const replacedAt = Date.now()
    say('replaced', answer.status, answer.detail)
    await until('the subscription starts', async () => (await runs()) > had, 1_200_000)
    record('17: from replaced data to the start', { ms: Date.now() - replacedAt })
  }
  record('load in all', {
    calls: tally.total(),
    failedAttempts: tally.lost.length,
    seenByPeople: tally.failures.length,
  })
} catch (error) {
  console.error('FAILED', error)
} finally {
  ending.abort()
  await Promise.race([loading, sleep(30_000)])
  await db.destroy()
  await cluster.stop()
  await smtp.close()
  await provider.close()
  console.log(JSON.stringify(results, undefined, 1))
}
process.exit(0)
