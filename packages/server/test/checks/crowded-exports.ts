import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { encryptJson } from '../../src/clinical/health-data/encrypted-json.ts'
import { contentContext } from '../../src/clinical/health-data/encryption-contexts.ts'
import { type Secrets, secretsOf } from '../../src/platform/config/secrets.ts'
import { createBeneficiary } from '../clinical/beneficiaries.ts'
import { contentDraft } from '../clinical/medical-records.ts'
import { openTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { spawnServer, untilReady } from '../processes/killed-server.ts'
import { createUser } from '../users.ts'

const APP_SECRET = 'um segredo só deste teste, com tamanho'
export const AUDIT_ROWS = 100_000
const RECORDS = 40
const VERSIONS = 3
const ACCESSES = 5_000

/** Starts a server process with a long audit trail, many records, and signed-in users. */
export const startCrowdedServer = async (people: number) => {
  const database = await openTestDatabase({ alone: true })
  const allowed = { tipoUsuario: 'ADMIN', acessoProntuario: true, encarregadoDados: true } as const
  const persons: Awaited<ReturnType<typeof createUser>>[] = []
  for (let n = 0; n < people; n += 1) persons.push(await createUser(database, allowed))
  const secrets = secretsOf([APP_SECRET])
  await fillTrail(database)
  const { id: beneficiary } = await createBeneficiary({ db: database.db, services: { secrets } as never })
  await fillRecords(database, secrets, beneficiary)
  // PGlite allows a folder to be open only once.
  if (!database.databaseUrl) await database.db.destroy()
  const settings: Record<string, string> = database.databaseUrl ? { DATABASE_URL: database.databaseUrl } : {}
  const server = await spawnServer(database.dataDir, {
    APP_SECRET,
    ...(process.env.PROF ? { NODE_OPTIONS: process.env.PROF } : {}),
    ...settings,
  })
  if (!(await untilReady(server))) throw new Error(`the server did not start: ${server.output()}`)
  const tokens: string[] = []
  for (const person of persons) tokens.push(await signIn(server.url, person))
  return {
    server,
    beneficiary,
    /** `person` is the index of a signed-in user. */
    call: (url: string, person = 0) => callOver(server.url, tokens[person] ?? '', url),
    close: async () => {
      server.child.kill('SIGTERM')
      if (server.child.exitCode === null) await once(server.child, 'exit')
      if (database.databaseUrl) await database.close()
      else await rm(database.dataDir, { recursive: true, force: true })
    },
  }
}

const signIn = async (origin: string, { emailUsuario, password }: Awaited<ReturnType<typeof createUser>>) => {
  const answer = await fetch(`${origin}/api/usuarios/authorizer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: emailUsuario, password }),
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  return access_token
}

const agent = new Agent({ keepAlive: true })

interface Answer {
  status: number
  bytes: number
  /** Milliseconds until the end of the answer. */
  ms: number
}

/** Only counts the bytes, because the client shares the server's processors. */
const callOver = (origin: string, token: string, url: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const headers = { authorization: `Bearer ${token}`, 'x-finalidade': 'Auditoria' }
    get(`${origin}/api${url}`, { agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, bytes, ms: performance.now() - started }),
      )
      response.on('error', reject)
    }).on('error', reject)
  })

type Crowd = Pick<Awaited<ReturnType<typeof startCrowdedServer>>, 'call' | 'server'>

/** Returns the processor time of a process so far, in milliseconds. */
const cpuMsOf = async (pid: number): Promise<number> => {
  const [, fields = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')
  const [user, system] = fields.split(' ').slice(11, 13)
  // In ticks, of which Linux reports 100 per second.
  return (Number(user) + Number(system)) * 10
}

/** Makes the calls concurrently as different users, and every 50 ms a call that each page makes. */
export const callTogether = async ({ call, server }: Crowd, urls: string[]) => {
  const pid = server.child.pid ?? 0
  const cpuBefore = await cpuMsOf(pid)
  const beside: number[] = []
  let isOver = false
  const probing = (async () => {
    while (!isOver) {
      beside.push((await call('/usuarios/sessao')).ms)
      await sleep(50)
    }
  })()
  const answers = await Promise.all(urls.map((url, person) => call(url, person)))
  isOver = true
  await probing
  beside.sort((a, b) => a - b)
  const at = (part: number) =>
    Math.round(beside[Math.min(beside.length - 1, Math.floor(beside.length * part))] ?? 0)
  return {
    answers,
    slowestMs: Math.round(Math.max(...answers.map(({ ms }) => ms))),
    cpuMs: (await cpuMsOf(pid)) - cpuBefore,
    beside: { calls: beside.length, p50: at(0.5), p95: at(0.95), max: at(1) },
  }
}

/** A trail as of a busy installation: mostly embed tokens, some changes, of 40 deleted users. */
const fillTrail = ({ db }: TestDatabase) =>
  sql`insert into auditoria (evento, quando, id_usuario, acao, objeto, detalhes, endereco, id_requisicao, chave, marca)
    select 'teste.' || n, timestamptz '2026-01-01' + n * interval '1 minute', 1 + n % 40,
      case n % 5 when 0 then 'workspace.updated' else 'embed.issued' end,
      case n % 5 when 0 then 'workspace:' || (1 + n % 300) else 'relatorio:' || (1 + n % 500) end,
      case n % 5 when 0 then jsonb_build_object('antes', jsonb_build_object('nomeGrupo', 'Antes ' || n),
        'depois', jsonb_build_object('nomeGrupo', 'Depois ' || n))
        else jsonb_build_object('idRelatorio', 1 + n % 500, 'papeis', jsonb_build_array('operadora')) end,
      '10.0.0.' || n % 250, gen_random_uuid()::text, 'k', 'm'
    from generate_series(1, ${AUDIT_ROWS}::int) n`.execute(db)

const paragraph =
  'Paciente em acompanhamento, refere melhora da dispneia aos esforços; mantém edema discreto em membros inferiores. '

const fillRecords = async ({ db }: TestDatabase, secrets: Secrets, beneficiario: number) => {
  const author = { idAutor: 1, autor: 'Quem registrou' }
  for (let n = 1; n <= RECORDS; n += 1) {
    const id = 1_000 + n
    const content = (versao: number) =>
      encryptJson(
        secrets,
        contentDraft({ descricao_hd: paragraph.repeat(20), prescricao_beneficiario: paragraph.repeat(6) }),
        contentContext({ id, beneficiario, versao }),
      )
    const at = new Date(Date.UTC(2026, 0, 1, 0, n))
    await db
      .insertInto('prontuario')
      .values({
        id,
        beneficiario,
        conteudo: content(VERSIONS),
        dataProntuario: '2026-01-01',
        ...author,
        registradoEm: at,
        alteradoEm: at,
        idAlteradoPor: 1,
        alteradoPor: 'Quem alterou',
        versao: VERSIONS,
      })
      .execute()
    for (let versao = 1; versao < VERSIONS; versao += 1) {
      await db
        .insertInto('prontuarioVersao')
        .values({ prontuario: id, versao, conteudo: content(versao), ...author, em: at })
        .execute()
    }
  }
  await sql`insert into acesso_saude (id_acesso, quando, id_usuario, nome_usuario, acao, objeto, id_objeto, beneficiario,
      finalidade, finalidade_texto, id_requisicao, chave, marca)
    select 1000000 + n, timestamptz '2026-01-01' + n * interval '1 minute', 1, 'Pessoa 1', 'lido', 'prontuario', 1001,
      ${beneficiario}, 'auditoria', null, gen_random_uuid()::text, 'k', 'm'
    from generate_series(1, ${ACCESSES}::int) n`.execute(db)
}
