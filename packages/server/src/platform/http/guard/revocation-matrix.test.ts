import { type Actor, can, type Endpoint, isImpersonal, keyGroupsOf } from '@bi-manager/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowKeys, createKey } from '../../../../test/accounts/api-keys.ts'
import { createTargets, openedSession } from '../../../../test/calls/call-targets.ts'
import { endpoints } from '../../../../test/calls/endpoints.ts'
import { goodCalls } from '../../../../test/calls/every-call.ts'
import { markUnused, sendInHalves, untilAuthorised, wireCallOf } from '../../../../test/calls/slow-call.ts'
import { startProvider } from '../../../../test/stand-ins/provider-stand-in.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser } from '../../../../test/users.ts'
import type { buildApp } from '../../../app.ts'
import type { OpenDatabase } from '../../db/open-database.ts'

/*
 * Generated from contract × revocations: a call that changes something is refused when its caller
 * loses the session, the account or the permission after the guard: while the body arrives, and
 * between the body and the transaction. Calls that API keys reach are also made with a key.
 */

const actor: Actor = { tipo: 'ADMIN', acessoProntuario: true, encarregadoDados: true }

type Kind = 'session' | 'key'
const ended: Record<Kind, string> = { session: 'sessao_encerrada', key: 'chave_invalida' }

interface Revocation {
  /** Changes in the caller's row; none for the end of the session. */
  account?: Partial<Actor>
  isBlock?: boolean
  isSignOut?: boolean
  /** The account's last day has passed. */
  isEnd?: boolean
}

const revocations: Record<string, Revocation> = {
  blocked: { isBlock: true },
  'signed out, or the key expired': { isSignOut: true },
  ended: { isEnd: true },
  demoted: { account: { tipo: 'USER' } },
  'without the flag of records': { account: { acessoProntuario: false } },
  'without the flag of the officer': { account: { encarregadoDados: false } },
}

/** The expected refusal; undefined where the caller keeps the permission. */
const refusalOf = (
  { permission }: Endpoint,
  { account, isBlock, isSignOut, isEnd }: Revocation,
  kind: Kind,
) => {
  if (isBlock || isSignOut || isEnd) return { status: 401, codigo: ended[kind] }
  return can({ ...actor, ...account }, permission) ? undefined : { status: 403, codigo: 'sem_permissao' }
}

/** Change nothing, so the check after the body suffices; or check after the provider's answer. */
const withoutTransaction = new Set([
  'POST /perfis/:id/candidatos/conferir',
  'POST /usuarios/importacao/previa',
  // They publish nothing: the file waits at the local service.
  'POST /publicacoes',
  'POST /publicacoes/:rascunho/leitura',
  'POST /publicacoes/:rascunho/conferencia',
  'POST /publicacoes/relatorios/:reportId/dados/conferencia',
  'POST /publicacoes/pastas',
  'POST /publicacoes/pastas/:rascunho/arquivos',
  'POST /publicacoes/pastas/:rascunho/conferencia',
  // It deletes what the same person has sent.
  'DELETE /publicacoes/:rascunho',
  // publishing.routes.test.ts: 'refuses the preview when …'
  'POST /publicacoes/:rascunho/previa',
  'POST /publicacoes/pastas/:rascunho/previa',
  // It only reads; a wrong code is counted in a transaction of its own.
  'POST /usuarios/telao/:id/conferir',
  // embedding.routes.test.ts: 'refuses the token when …'
  'POST /usuarios/relatorio/embed',
  // view-as.routes.test.ts: 'refuses the token when …'
  'POST /usuarios/:idUsuario/ver-como',
])

const key = ({ method, url }: Endpoint) => `${method} ${url}`
// Screens and guests are no users: kiosk-embed.routes.test.ts and guest-embed.routes.test.ts revoke
// them while the provider answers, guest-revocations.test.ts before each call.
const mutating = endpoints.filter(({ method, permission }) => method !== 'GET' && !isImpersonal(permission))

let provider: Awaited<ReturnType<typeof startProvider>>
/** The same server, with transactions that first await `beforeTransaction`. */
let hooked: Awaited<ReturnType<typeof buildApp>>
let beforeTransaction: () => Promise<unknown> = async () => {}

const withHook = (db: OpenDatabase): OpenDatabase => {
  const transaction: OpenDatabase['transaction'] = () => {
    const builder = db.transaction()
    const execute: typeof builder.execute = async (work) => {
      await beforeTransaction()
      return builder.execute(work)
    }
    return Object.assign(Object.create(builder), { execute })
  }
  return new Proxy(db, {
    get: (target, name) => {
      if (name === 'transaction') return transaction
      const value: unknown = Reflect.get(target, name, target)
      // Kysely has private fields, which a proxy as `this` cannot reach.
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(
  () => ({
    ...provider.settings,
    RATE_LIMIT_PER_MINUTE: '1000000',
  }),
  { resets: false },
)
beforeAll(async () => {
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  hooked = await app.anotherServer({ db: withHook(app.services.db) })
  await hooked.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => hooked.close())

const enter = async (kind: Kind) => {
  const { tipo: tipoUsuario, ...flags } = actor
  const user = await createUser(app, { tipoUsuario, ...flags })
  const idSessao = await openedSession(app, user)
  const exp = Math.floor(Date.now() / 1000) + 3600
  const token = app.app.jwt.sign({ sub: String(user.idUsuario), jti: idSessao, exp })
  if (kind === 'session') return { user, idSessao, token, idChave: undefined }
  await allowKeys(app)
  const { idChave, credencial } = await createKey(app, user)
  return { user, idSessao, token: credencial, idChave }
}
type Caller = Awaited<ReturnType<typeof enter>>

const setStanding = async (
  { user: { idUsuario }, idSessao, idChave }: Caller,
  { account = {}, isBlock = false, isSignOut = false, isEnd = false }: Revocation,
) => {
  const { tipo, ...flags } = { ...actor, ...account }
  await app.db
    .updateTable('usuario')
    .set({
      ...flags,
      tipoUsuario: tipo,
      situacao: isBlock ? 'BLOQUEADO' : 'ATIVO',
      venceEm: isEnd ? new Date(Date.now() - 1_000) : null,
    })
    .where('idUsuario', '=', idUsuario)
    .execute()
  await app.db
    .updateTable('sessao')
    .set({ encerradaEm: isSignOut ? new Date() : null })
    .where('idSessao', '=', idSessao)
    .execute()
  if (idChave === undefined) return
  const expiraEm = new Date(Date.now() + (isSignOut ? -1_000 : 3_600_000))
  await app.db.updateTable('chaveApi').set({ expiraEm }).where('idChave', '=', idChave).execute()
}

/** Written by guard, limits and record of refusals; files wait here for their transaction. */
const unrelated = [
  'sessao',
  'chave_api',
  'usuario',
  'falha_login',
  'contagem_chamadas',
  'auditoria',
  'auditoria_fila',
  'arquivo_pendente',
  'pasta_anexos',
]

/**
 * A digest of the rows of every other table, of the audit lines that are not refusals, and of all
 * accounts and sessions except the caller's, whose rows the test writes.
 */
const stateOfData = async ({ user: { idUsuario } }: Caller): Promise<unknown> => {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all(${unrelated}::text[])
    order by relname`.execute(app.db)
  const digests = tables.map(
    ({ name }) => sql`select ${name} as name, count(*), sum(hashtext(t::text)) from ${sql.table(name)} t`,
  )
  const { rows } = await sql`${sql.join(digests, sql` union all `)} union all
    select 'auditoria', count(*), null from auditoria where acao not like '%refused%' union all
    select 'usuario', count(*), sum(hashtext(t::text)) from usuario t where id_usuario <> ${idUsuario} union all
    select 'sessao', count(*), sum(hashtext(t::text)) from sessao t where id_usuario <> ${idUsuario} union all
    select 'senha', 1, hashtext(senha_hash || email_usuario || nome_usuario) from usuario
      where id_usuario = ${idUsuario}`.execute(app.db)
  return rows
}

const calls = mutating.flatMap((endpoint) => {
  const name = key(endpoint)
  const bySession = [name, 'session' as Kind, endpoint] as const
  return keyGroupsOf(endpoint).length > 0
    ? [bySession, [name, 'key' as Kind, endpoint] as const]
    : [bySession]
})

describe.each(calls)('%s with a %s', (name, kind, endpoint) => {
  test('the call refuses a caller who loses the permission after the guard', async () => {
    const caller = await enter(kind)
    const [good] = (await goodCalls[name]?.(await createTargets(app, caller.user))) ?? []
    if (!good) throw new Error('There is no good call in test/calls/every-call.ts.')
    const call = await wireCallOf(endpoint, good)
    const before = await stateOfData(caller)
    for (const [what, revocation] of Object.entries(revocations)) {
      const refusal = refusalOf(endpoint, revocation, kind)
      if (!refusal) continue
      const revoke = () => setStanding(caller, revocation)

      await markUnused(app, caller)
      const duringBody = await sendInHalves({ server: app.app, token: caller.token }, call, async () => {
        await untilAuthorised(app, caller)
        await revoke()
      })
      expect(duringBody, `${what} while the body arrives`).toEqual(refusal)
      await setStanding(caller, {})

      if (withoutTransaction.has(name)) continue
      beforeTransaction = revoke
      const beforeWriting = await sendInHalves({ server: hooked, token: caller.token }, call)
      expect(beforeWriting, `${what} before the transaction`).toEqual(refusal)
      beforeTransaction = async () => {}
      await setStanding(caller, {})
    }
    expect(await stateOfData(caller)).toEqual(before)
    const refusals = await app.db
      .selectFrom('auditoria')
      .select('acao')
      .where('acao', '=', 'access.refused')
      .where('idUsuario', '=', caller.user.idUsuario)
      .execute()
    const isPermissionLost = Object.values(revocations).some(
      (revocation) => refusalOf(endpoint, revocation, kind)?.status === 403,
    )
    expect(refusals.length > 0).toBe(isPermissionLost)
    // The same call succeeds while its caller has the permission.
    const { status } = await sendInHalves({ server: hooked, token: caller.token }, call)
    expect(status).toBe(good.status)
  })
})
