import { readFile } from 'node:fs/promises'
import { ALL_OPERADORAS } from '@bi-manager/contract'
import { z } from 'zod'
import { hashPassword, isPassword, nameColumns } from '../accounts/index.ts'
import { ConfigError } from '../platform/config/config.ts'
import type { Encrypted } from '../platform/config/secrets.ts'
import type { Db } from '../platform/db/open-database.ts'
import { inTransaction } from '../platform/db/transactions/in-transaction.ts'
import type { Services } from '../platform/http/services.ts'
import { orUndefined } from '../platform/lib/or-undefined.ts'
import { seedRecords } from './seed-records.ts'

/** The demo's seed file: how to reach its report service, and what that service publishes. */
const DemoSeed = z.object({
  connection: z.object({ tenantId: z.guid(), applicationId: z.guid(), secret: z.string().min(1) }),
  workspaces: z.array(
    z.object({
      id: z.guid(),
      name: z.string(),
      reports: z.array(
        z.object({
          id: z.guid(),
          name: z.string(),
          operadora: z.string().optional(),
          requiresIdentity: z.boolean(),
          roles: z.array(z.string()),
        }),
      ),
    }),
  ),
})
type DemoSeed = z.infer<typeof DemoSeed>

const admin = {
  email: 'admin@demo.local',
  name: 'Marina Alves',
  password: 'Demo-admin-2026',
  type: 'ADMIN',
} as const
const people = [
  admin,
  { email: 'ana@demo.local', name: 'Ana Martins', password: 'Demo-ana-2026', type: 'USER' },
  {
    email: 'helena@demo.local',
    name: 'Helena Duarte',
    password: 'Demo-helena-2026',
    type: 'USER',
    identidadeRls: 'CNU',
    acessoProntuario: true,
    encarregadoDados: true,
    conselhoProfissional: 'CRM',
    numeroRegistro: '12345',
    ufRegistro: 'PR',
  },
] as const

/** Fills an empty demo database, and at every start restores its sign-ins and its connection. */
export const seedDemo = async (
  { db, secrets, now }: Pick<Services, 'db' | 'secrets' | 'now'>,
  seedFile: string,
): Promise<void> => {
  const seed = DemoSeed.parse(JSON.parse(await readFile(seedFile, 'utf8')))
  await assertOwnDatabase(db)
  for (const person of people) await ensurePerson(db, person)
  const credential = {
    tenantId: seed.connection.tenantId,
    applicationId: seed.connection.applicationId,
    segredo: secrets.encrypt(seed.connection.secret),
  }
  await inTransaction(db, async (tx) => {
    const isEmpty = !(await tx.selectFrom('powerbi').select('idPowerBi').limit(1).executeTakeFirst())
    if (isEmpty) {
      // The demo's users sign in with a password only, and its home page proposes no rule.
      await tx.updateTable('configuracao').set({ segundoFatorDecidido: true }).execute()
      await seedContent(tx, seed, credential)
      return seedRecords(tx, { secrets, now }, await findPerson(tx, 'helena@demo.local'))
    }
    const connection = await tx
      .selectFrom('powerbi')
      .select(['idPowerBi', 'tenantId', 'applicationId', 'segredo'])
      .where('provedor', '=', 'local')
      .where('nome', '=', connectionName)
      .executeTakeFirst()
    if (!connection) return
    if (isSame(secrets, connection, seed.connection)) return
    await tx
      .updateTable('powerbi')
      .set((eb) => ({ ...credential, versao: eb('versao', '+', 1) }))
      .where('idPowerBi', '=', connection.idPowerBi)
      .execute()
  })
}

/** The demo's passwords are public, so they must never open real data. */
const assertOwnDatabase = async (db: Db): Promise<void> => {
  const people = await db
    .selectFrom('usuario')
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      eb.fn.count<number>('idUsuario').filterWhere('emailUsuario', '=', admin.email).as('demo'),
    ])
    .executeTakeFirstOrThrow()
  if (people.all === 0 || people.demo === 1) return
  throw new ConfigError(
    'A demonstração só usa um banco vazio ou o seu próprio: aponte DATA_DIR (ou DATABASE_URL) para outro lugar.',
  )
}

const isSame = (
  { decrypt }: Services['secrets'],
  connection: { applicationId: string | null; tenantId: string | null; segredo: Encrypted },
  { applicationId, tenantId, secret }: DemoSeed['connection'],
): boolean =>
  connection.applicationId === applicationId &&
  connection.tenantId === tenantId &&
  // Undefined when it was encrypted with a lost key: it is encrypted again.
  orUndefined(() => decrypt(connection.segredo)) === secret

/** Reports with a `filtro`, as an ADMIN would type it. */
const filters: Record<string, string> = { 'Análise de entregas': "Entregas/mes ge '2025-01-01'" }

const connectionName = 'Serviço de relatórios local'

const findPerson = (db: Db, email: string) =>
  db
    .selectFrom('usuario')
    .select(['idUsuario', 'nomeUsuario'])
    .where('emailUsuario', '=', email)
    .executeTakeFirstOrThrow()

const ensurePerson = async (db: Db, person: (typeof people)[number]): Promise<void> => {
  const { email, name, password, type, ...flags } = person
  const existing = await db
    .selectFrom('usuario')
    .select(['idUsuario', 'senhaHash'])
    .where('emailUsuario', '=', email)
    .executeTakeFirst()
  const senhaHash =
    existing && (await isPassword(existing.senhaHash, password))
      ? existing.senhaHash
      : await hashPassword(password)
  const account = {
    ...nameColumns(name),
    emailUsuario: email,
    tipoUsuario: type,
    situacao: 'ATIVO' as const,
    senhaHash,
  }
  if (existing) {
    await db.updateTable('usuario').set(account).where('idUsuario', '=', existing.idUsuario).execute()
    return
  }
  await db
    .insertInto('usuario')
    .values({ ...account, ...flags })
    .execute()
}

const seedContent = async (
  tx: Db,
  { workspaces }: DemoSeed,
  credential: { tenantId: string; applicationId: string; segredo: Encrypted },
): Promise<void> => {
  const { idUsuario: clienteId } = await findPerson(tx, admin.email)
  const { idPowerBi } = await tx
    .insertInto('powerbi')
    .values({
      ...credential,
      nome: connectionName,
      username: credential.applicationId,
      clienteId,
      provedor: 'local',
      tipoCredencial: 'service_principal',
    })
    .returning('idPowerBi')
    .executeTakeFirstOrThrow()
  const groups = await tx
    .insertInto('grupoRelatorio')
    .values(workspaces.map(({ id, name }) => ({ idGrupo: id, nomeGrupo: name, idPowerBi })))
    .returning(['idGrupoRelatorio', 'idGrupo'])
    .execute()
  const groupOf = new Map(groups.map(({ idGrupo, idGrupoRelatorio }) => [idGrupo, idGrupoRelatorio]))
  const reports = await tx
    .insertInto('relatorio')
    .values(
      workspaces.flatMap((workspace) =>
        workspace.reports.map((report) => ({
          idGrupoRelatorio: groupOf.get(workspace.id) ?? 0,
          nomeRelatorio: report.name,
          operadoraRelatorio: report.operadora ?? ALL_OPERADORAS,
          reportId: report.id,
          papeisRls: report.roles,
          filtro: filters[report.name] ?? null,
        })),
      ),
    )
    .returning(['idRelatorio', 'reportId'])
    .execute()
  const idOf = new Map(reports.map(({ reportId, idRelatorio }) => [reportId, idRelatorio]))
  await grant(tx, 'helena@demo.local', securedReports(workspaces), idOf)
  await grant(tx, 'ana@demo.local', someReports(workspaces), idOf)
}

type Workspaces = DemoSeed['workspaces']

/** Helena's reports: every one that restricts rows by user. */
const securedReports = (workspaces: Workspaces): string[] =>
  workspaces.flatMap(({ reports }) =>
    reports.filter(({ requiresIdentity }) => requiresIdentity).map(({ id }) => id),
  )

/** Ana's reports: two unrestricted ones in each of the first two workspaces that have any. */
const someReports = (workspaces: Workspaces): string[] =>
  workspaces
    .map(({ reports }) => reports.filter(({ requiresIdentity }) => !requiresIdentity).map(({ id }) => id))
    .filter((ids) => ids.length > 0)
    .slice(0, 2)
    .flatMap((ids) => ids.slice(0, 2))

const grant = async (
  tx: Db,
  email: string,
  reportIds: string[],
  idOf: Map<string, number>,
): Promise<void> => {
  const { idUsuario } = await findPerson(tx, email)
  const rows = reportIds
    .flatMap((reportId) => idOf.get(reportId) ?? [])
    .map((idRelatorio) => ({ idUsuario, idRelatorio }))
  if (rows.length > 0) await tx.insertInto('relatorioUsuario').values(rows).execute()
}
