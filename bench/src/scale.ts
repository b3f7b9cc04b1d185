import { findMenu } from '@bi-manager/server/access/menu'
import type { Db } from '@bi-manager/server/db/open-database'
import { listGrants, listGroupChoices } from '@bi-manager/server/features/grants/grants.repository'
import { listReports } from '@bi-manager/server/features/report-records/report-records.repository'
import { listUsers } from '@bi-manager/server/features/users/users.repository'
import { listGroupOptions } from '@bi-manager/server/features/workspaces/workspaces.repository'
import { startTestApp } from '@bi-manager/server/test/test-app'
import { sql } from 'kysely'
import { compareSites, type Pair, printRatio } from './compare-sites.ts'
import { queryPlans } from './query-plans.ts'
import { fillDatabase, type Size } from './scale-data.ts'

const small: Size = { users: 100, reports: 100, workspaces: 100, grants: 100, grantsOfOne: 100 }
const large: Size = {
  users: 100_000,
  reports: 10_000,
  workspaces: 500,
  grants: 1_000_000,
  grantsOfOne: 200,
}

type Site = Awaited<ReturnType<typeof open>>

const open = async (size: Size) => {
  const app = await startTestApp({ RATE_LIMIT_PER_MINUTE: '1000000', SESSION_HOURS: '24' })
  const started = performance.now()
  const { admin, one } = await fillDatabase(app, size)
  const seconds = (performance.now() - started) / 1000
  const origin = await app.app.listen({ port: 0, host: '127.0.0.1' })
  const tokenOf = async (user: typeof admin) => (await app.as(user)).token
  const { id: group } = await sql<{ id: number }>`select min(id_grupo_relatorio) as id from grupo_relatorio`
    .execute(app.db)
    .then(({ rows }) => rows[0] ?? { id: 0 })
  const tokens = { admin: await tokenOf(admin), one: await tokenOf(one) }
  const person = await sql<{ id: number }>`select max(id_usuario) as id from usuario`
    .execute(app.db)
    .then(({ rows }) => rows[0]?.id ?? 0)
  const { id: report } = await sql<{ id: number }>`select min(id_relatorio) as id from relatorio`
    .execute(app.db)
    .then(({ rows }) => rows[0] ?? { id: 0 })
  return { app, origin, seconds, tokens, one: one.idUsuario, person, group, report }
}

interface Call {
  name: string
  path: (site: Site) => string
  as?: 'admin' | 'one'
  /** Called before each call, outside the measured time. */
  before?: (site: Site) => Promise<unknown>
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
  { name: 'menu of a USER with 200 grants (small: 100)', path: () => '/usuarios/menus', as: 'one' },
  {
    name: 'the same, right after a change of access',
    path: () => '/usuarios/menus',
    as: 'one',
    before: ({ app, one }) =>
      app.db
        .updateTable('usuario')
        .set((eb) => ({ versaoAcesso: eb('versaoAcesso', '+', 1) }))
        .where('idUsuario', '=', one)
        .execute(),
  },
  { name: 'menu of an ADMIN', path: () => '/usuarios/menus' },
  {
    name: 'menu of an ADMIN, one workspace opened',
    path: ({ group }) => `/usuarios/menus/${group}`,
  },
  { name: 'why a user sees a report', path: ({ one, report }) => `/usuarios/${one}/acesso/${report}` },
  { name: 'the menu as a user sees it', path: ({ one }) => `/usuarios/${one}/menus` },
]

const compare = (call: Call, sites: Pair<Site>) =>
  compareSites(sites, {
    ...(call.before ? { before: call.before } : {}),
    send: async (site) => {
      const response = await fetch(`${site.origin}/api${call.path(site)}`, {
        headers: {
          authorization: `Bearer ${site.tokens[call.as ?? 'admin']}`,
          'accept-encoding': 'identity',
        },
      })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${call.name}: ${response.status}`)
    },
  })

/**
 * Prints how much longer each call takes with 100,000 users, 10,000 reports, 500 workspaces and
 * 1,000,000 grants.
 */
export const benchScale = async (): Promise<void> => {
  const sites = { small: await open(small), large: await open(large) }
  try {
    console.log(
      `\nScale: ${describe(small)} against ${describe(large)} (made in ${sites.large.seconds.toFixed(0)} s).`,
    )
    console.log('Median of 150 calls each, taken in turns; the last column is the ratio.\n')
    for (const call of calls) printRatio(call.name, await compare(call, sites))
    await printPlans(sites.large)
  } finally {
    await sites.small.app.close()
    await sites.large.app.close()
  }
}

const printPlans = async ({ app, one, person, group }: Site): Promise<void> => {
  const plans: Record<string, (db: Db) => Promise<unknown>> = {
    'users, first page': (db) => listUsers(db, { pagina: 1 }),
    'users, search': (db) => listUsers(db, { pagina: 1, busca: 'magalh' }),
    'reports, search': (db) => listReports(db, { pagina: 1, busca: 'exames' }),
    'groups to choose': (db) => listGroupOptions(db, { pagina: 1 }),
    'one workspace of a user': (db) => listGroupChoices(db, person, group),
    'grants of a user': (db) => listGrants(db, one),
    'menu of a USER': (db) => findMenu(db, { idUsuario: one, isAdmin: false }),
  }
  console.log('\nPlans on the large database:')
  for (const [name, work] of Object.entries(plans)) {
    for (const plan of await queryPlans(app.db, work)) console.log(`\n-- ${name}\n${plan}`)
  }
}

const describe = ({ users, reports, workspaces, grants }: Size): string => {
  const number = new Intl.NumberFormat('en-US')
  return `${number.format(users)} users, ${number.format(reports)} reports, ${number.format(workspaces)} workspaces, ${number.format(grants)} grants`
}
