import { userEntity } from '@bi-manager/contract'
import { listGrants } from '@bi-manager/server/access/grants/grants.repository'
import { listChoices } from '@bi-manager/server/access/grants/report-set'
import { listUsers } from '@bi-manager/server/accounts/users/users.repository'
import { findMenu } from '@bi-manager/server/reports/menu/menu'
import { listReports } from '@bi-manager/server/reports/registrations/report-registrations.repository'
import { listWorkspaceOptions } from '@bi-manager/server/reports/workspaces/workspaces.repository'
import type { TestApp } from '@bi-manager/server/test/test-app'
import { sql } from 'kysely'
import { compareSites, type SiteCall, type SiteOf } from './compare-sites.ts'
import { fillDatabase, type Size } from './data/scale-data.ts'

/**
 * Small, but with as many rows as a page of the large one: a call of fewer rows is faster for that
 * reason alone.
 */
const small: Size = { users: 200, reports: 200, workspaces: 200, grants: 200, grantsOfReader: 200 }
const large: Size = {
  users: 100_000,
  reports: 10_000,
  workspaces: 500,
  grants: 1_000_000,
  grantsOfReader: 200,
}

type Site = SiteOf<Awaited<ReturnType<typeof fill>>>

const fill = async (app: TestApp, size: Size) => {
  const { admin, reader } = await fillDatabase(app, size)
  const tokenOf = async (user: typeof admin) => (await app.as(user)).token
  const tokens = { admin: await tokenOf(admin), reader: await tokenOf(reader) }
  const { rows } = await sql<{ person: number; group: number; report: number }>`select
    (select max(id_usuario) from usuario) as person, (select min(id_grupo_relatorio) from grupo_relatorio) as "group",
    (select min(id_relatorio) from relatorio) as report`.execute(app.db)
  const { person, group, report } = rows[0] ?? { person: 0, group: 0, report: 0 }
  return { tokens, reader: reader.idUsuario, person, group, report }
}

interface Call extends Omit<SiteCall<Site>, 'send'> {
  path: (site: Site) => string
  as?: 'admin' | 'reader'
}

/** Lists and searches at their first page, and the queries behind screens. */
const calls: Call[] = [
  { name: 'users, first page', path: () => '/usuarios?pagina=1' },
  { name: 'users, page 3 by e-mail, descending', path: () => '/usuarios?pagina=3&ordem=-emailUsuario' },
  { name: 'users, search "magalh"', path: () => '/usuarios?pagina=1&busca=magalh' },
  { name: 'users, search for one, "silva 10"', path: () => '/usuarios?pagina=1&busca=silva%2010' },
  { name: 'users, dropdown of 20', path: () => '/usuarios?pagina=1&tamanho=20&busca=an' },
  { name: 'reports, first page', path: () => '/usuarios/relatorio?pagina=1' },
  { name: 'reports, search "exames"', path: () => '/usuarios/relatorio?pagina=1&busca=exames' },
  { name: 'workspaces, first page', path: () => '/usuarios/workspace?pagina=1' },
  { name: 'workspaces, search', path: () => '/usuarios/workspace?pagina=1&busca=custos' },
  { name: 'connections, first page', path: () => '/usuarios/powerbi?pagina=1' },
  { name: 'permissions: groups to choose', path: () => '/grupo-permissao?pagina=1&tamanho=20' },
  {
    name: 'permissions: one workspace of a user',
    path: ({ person, group }) => `/usuarios/relatorio-usuario/${person}/${group}`,
  },
  { name: 'permissions: reports, a search', path: () => '/usuarios/relatorio-usuario?pagina=1&busca=telem' },
  { name: 'menu of a USER with 200 grants', path: () => '/usuarios/menus', as: 'reader' },
  {
    name: 'the same, right after a change of access',
    path: () => '/usuarios/menus',
    as: 'reader',
    before: ({ app, reader }) =>
      app.db
        .updateTable('usuario')
        .set((eb) => ({ versaoAcesso: eb('versaoAcesso', '+', 1) }))
        .where('idUsuario', '=', reader)
        .execute(),
  },
  { name: 'menu of an ADMIN', path: () => '/usuarios/menus' },
  {
    name: 'menu of an ADMIN, one workspace opened',
    path: ({ group }) => `/usuarios/menus/${group}`,
  },
  { name: 'why a user sees a report', path: ({ reader, report }) => `/usuarios/${reader}/acesso/${report}` },
  { name: 'the menu as a user sees it', path: ({ reader }) => `/usuarios/${reader}/menus` },
]

const send = async (site: Site, { name, path, as = 'admin' }: Call) => {
  const headers = { authorization: `Bearer ${site.tokens[as]}`, 'accept-encoding': 'identity' }
  const response = await fetch(`${site.origin}/api${path(site)}`, { headers })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${name}: ${response.status}`)
}

/**
 * Prints how much longer each call takes with 100,000 users, 10,000 reports, 500 workspaces and
 * 1,000,000 grants.
 */
export const benchScale = (): Promise<void> =>
  compareSites({
    title: 'Scale',
    small,
    large,
    fill,
    named: ['users', 'reports', 'workspaces', 'grants'],
    calls: calls.map((call) => ({ ...call, send: (site: Site) => send(site, call) })),
    plansOf: ({ reader, person, group }) => ({
      'users, first page': (db) => listUsers(db, { pagina: 1 }),
      'users, search': (db) => listUsers(db, { pagina: 1, busca: 'magalh' }),
      'reports, search': (db) => listReports(db, { pagina: 1, busca: 'exames' }),
      'groups to choose': (db) => listWorkspaceOptions(db, { pagina: 1 }),
      'one workspace of a user': (db) => listChoices(db, userEntity, person, group),
      'grants of a user': (db) => listGrants(db, reader),
      'menu of a USER': (db) => findMenu(db, { idUsuario: reader, isAdmin: false }),
    }),
  })
