import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openStream } from '../../../test/accounts/live-stream.ts'
import { connectedScreen, createKiosk } from '../../../test/distribution/kiosks.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { startProvider } from '../../../test/stand-ins/provider-stand-in.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(() => ({
  ...provider.settings,
}))

let workspace: Awaited<ReturnType<typeof createWorkspace>>
let report: Awaited<ReturnType<typeof createReport>>
let ana: Awaited<ReturnType<typeof createUser>>
beforeEach(async () => {
  const { idPowerBi } = await createConnection(app)
  workspace = await createWorkspace(app, { idPowerBi })
  report = await createReport(app, { idGrupoRelatorio: workspace.idGrupoRelatorio })
  ana = await createUser(app)
  await grantReport(app, ana.idUsuario, report.idRelatorio)
})

/** Milliseconds in which the first calls of a test must be answered. */
const soon = 3_000
/** Sets the end by the database's clock; from here on, only time passes. */
const endGrantSoon = () =>
  sql`update relatorio_usuario set vence_em = now() + make_interval(secs => ${soon / 1000})`.execute(app.db)
/** Puts the person into a profile with the report, in place of the direct grant. */
const endMembershipSoon = async () => {
  const { idUsuario } = ana
  const { idRelatorio } = report
  await app.db.deleteFrom('relatorioUsuario').execute()
  const { idPerfil } = await app.db
    .insertInto('perfil')
    .values({ nomePerfil: 'Diretoria' })
    .returning('idPerfil')
    .executeTakeFirstOrThrow()
  await app.db.insertInto('perfilRelatorio').values({ idPerfil, idRelatorio }).execute()
  await sql`insert into perfil_usuario (id_perfil, id_usuario, vence_em)
    values (${idPerfil}, ${idUsuario}, now() + make_interval(secs => ${soon / 1000}))`.execute(app.db)
}
const endAccountSoon = () =>
  sql`update usuario set vence_em = now() + make_interval(secs => ${soon / 1000})
    where id_usuario = ${ana.idUsuario}`.execute(app.db)

const address = () => ({ groupId: workspace.idGrupo, reportId: report.reportId })
type Session = Awaited<ReturnType<typeof app.as>>
const seenBy = async (session: Session) => {
  const { idRelatorio } = report
  const [menu, favourites, embed, check, exported] = await Promise.all([
    session.get('/usuarios/menus'),
    session.get('/usuarios/favoritos'),
    session.post('/usuarios/relatorio/embed', address()),
    session.get(`/usuarios/relatorio/${idRelatorio}/acesso`),
    session.post(`/usuarios/relatorio/${idRelatorio}/exportacao`, { formato: 'PDF' }),
  ])
  return {
    menu: menu.body.length,
    favourites: favourites.body.length,
    embed: embed.status,
    check: check.status,
    exported: exported.status,
  }
}

const folder = join(import.meta.dirname, '../../')
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

describe('without any write', () => {
  test.each([
    ['a grant', endGrantSoon],
    ['a membership', endMembershipSoon],
  ])('%s stops at its end in menu, embed call and open windows', async (_, endSoon) => {
    const session = await app.as(ana)
    await session.put(`/usuarios/favoritos/${report.idRelatorio}`)
    if (!app.app.server.listening) await app.app.listen({ port: 0, host: '127.0.0.1' })
    const origin = app.app.listeningOrigin
    await endSoon()
    expect(await seenBy(session)).toMatchObject({ menu: 1, favourites: 1, embed: 200, check: 204 })
    const stream = await openStream(origin, session.token)
    await sleep(soon)
    expect(await seenBy(session)).toEqual({
      menu: 0,
      favourites: 0,
      embed: 403,
      check: 403,
      exported: 403,
    })
    await expect.poll(stream.events, { timeout: 5_000 }).toContain('event: acesso')
    await stream.close()
  })

  test('an account stops at its end: its calls, and the screens that it connected', async () => {
    const session = await app.as(ana)
    const { idTelao } = await createKiosk(app, [report.idRelatorio])
    const credential = await connectedScreen(app, { idTelao, conectadaPor: ana.idUsuario })
    const screen = app.withHeaders({ authorization: `Bearer ${credential}` })
    const shown = async () => (await screen.get('/telao/rotacao')).body.paginas.length
    await endAccountSoon()
    expect([(await session.get('/usuarios/menus')).status, await shown()]).toEqual([200, 1])
    await sleep(soon)
    expect([(await session.get('/usuarios/menus')).status, await shown()]).toEqual([401, 0])
  })
})

/** Reads of the members of profiles, as text and in a query builder. */
const readsMembers = /(?:\b(?:from|join) perfil_usuario\b|(?:selectFrom|innerJoin)\('perfilUsuario')/gi
const readsEnds = /isCurrent\('(?:pu|m|u|perfilUsuario)\.venceEm'\)/g

test('every decision on a membership looks at its end', () => {
  const rest = sources.flatMap(({ name, text }) => {
    const more = (text.match(readsMembers)?.length ?? 0) - (text.match(readsEnds)?.length ?? 0)
    return more > 0 ? [[name, more]] : []
  })
  expect(Object.fromEntries(rest), 'use isCurrent of platform/db/queries/expiry.ts').toEqual({
    // The people of whom some access ends soon, and all their ways to a report.
    'access/grants/expiry-notices.job.ts': 2,
    // The list of members and their last days, for ADMINs, and removals.
    'access/profiles/profiles.repository.ts': 3,
    // Whether the installation has granted anything yet.
    'operations/system-status/setup.repository.ts': 1,
  })
})

/** SQL that compares the state of an account: in any table, in text and in a query builder. */
const comparesState =
  /\bsituacao['"`)}\s,]*(?:=|<>|!=|in|not in|is distinct from)['"\s,]*[([]?\s*'(?:ATIVO|BLOQUEADO)'/gi

describe('every decision on an account looks at its end too', () => {
  test.each([
    "situacao = 'ATIVO'",
    "u.situacao <> 'BLOQUEADO'",
    "dono.situacao in ('ATIVO', 'PENDENTE')",
    "('situacao', '=', 'ATIVO')",
    "('usuario.situacao', '!=', 'BLOQUEADO')",
    "(\n  'usuario.situacao',\n  'in',\n  ['ATIVO'])",
    "sql.ref('u.situacao')} = 'ATIVO'",
  ])('the search finds %j', (code) => {
    expect(code.match(comparesState)).toHaveLength(1)
  })

  test('every decision in all files looks at the end of an account too', () => {
    const found = sources.flatMap(({ name, text }) => (text.match(comparesState) ?? []).map(() => name))
    expect(found.sort(), 'use isActiveAccount of platform/db/queries/expiry.ts').toEqual([
      // Whether an invitation waits for its person.
      'accounts/users/users.repository.ts',
      'platform/db/queries/expiry.ts',
    ])
  })
})
