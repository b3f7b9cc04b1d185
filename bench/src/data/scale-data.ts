import type { TestApp } from '@bi-manager/server/test/test-app'
import { createUser } from '@bi-manager/server/test/users'
import { sql } from 'kysely'

/** `grants` are spread evenly over the users; `grantsOfReader`: of the user whose menu is measured. */
export type Size = Record<'users' | 'reports' | 'workspaces' | 'grants' | 'grantsOfReader', number>

const firstNames = ['Ana', 'João', 'Marina', 'José', 'Beatriz', 'Luís', 'Fátima', 'Antônio', 'Helena', 'Caio']
const lastNames = [
  'Silva',
  'Souza',
  'Araújo',
  'Conceição',
  'Duarte',
  'Lima',
  'Magalhães',
  'Nóbrega',
  'Prado',
  'Xavier',
]
const subjects = [
  'Sinistralidade',
  'Internações',
  'Exames',
  'Absenteísmo',
  'Telemedicina',
  'Custos',
  'Utilização',
]

/** Fills an empty database in a few statements, with names from a fixed list. */
export const fillDatabase = async (app: TestApp, size: Size) => {
  const { db } = app
  const pick = (names: string[], seed: string) =>
    sql`(array[${sql.join(names)}])[1 + (${sql.raw(seed)}) % ${sql.lit(names.length)}]`
  const admin = await createUser(app, { tipoUsuario: 'ADMIN' })
  const reader = await createUser(app, { nomeUsuario: 'Pessoa Medida' })
  await sql`insert into usuario (nome_usuario, email_usuario)
    select ${pick(firstNames, 'n')} || ' ' || ${pick(lastNames, 'n / 10')} || ' ' || n, 'pessoa' || n || '@carga.exemplo'
    from generate_series(1, ${size.users}::int) n`.execute(db)
  await sql`insert into powerbi (nome, username, segredo, cliente_id, provedor, tipo_credencial)
    select 'Conexão ' || n, 'principal', ${app.services.secrets.encrypt('segredo')}, ${admin.idUsuario}::int,
      'microsoft', 'service_principal' from generate_series(1, 20) n`.execute(db)
  await sql`insert into grupo_relatorio (nome_grupo, id_grupo, id_power_bi)
    select ${pick(subjects, 'n')} || ' ' || n, gen_random_uuid(), (select min(id_power_bi) from powerbi) + n % 20
    from generate_series(1, ${size.workspaces}::int) n`.execute(db)
  await sql`insert into relatorio (id_grupo_relatorio, nome_relatorio, operadora_relatorio, report_id)
    select (select min(id_grupo_relatorio) from grupo_relatorio) + n % ${size.workspaces}::int,
      ${pick(subjects, 'n / 7')} || ' ' || n, 'CNU', gen_random_uuid()
    from generate_series(1, ${size.reports}::int) n`.execute(db)
  // Every user gets the same number of grants, starting at a different report.
  const each = Math.max(1, Math.round(size.grants / size.users))
  await sql`insert into relatorio_usuario (id_usuario, id_relatorio)
    select u.id_usuario, (select min(id_relatorio) from relatorio) + (u.id_usuario * 7 + k) % ${size.reports}::int
    from usuario u cross join generate_series(1, ${each}::int) k
    where u.id_usuario not in (${admin.idUsuario}::int, ${reader.idUsuario}::int)`.execute(db)
  await sql`insert into relatorio_usuario (id_usuario, id_relatorio)
    select ${reader.idUsuario}::int, id_relatorio from relatorio order by id_relatorio limit ${size.grantsOfReader}::int`.execute(
    db,
  )
  // As autovacuum, or the portal's housekeeping, does in time.
  await sql`vacuum analyze`.execute(db)
  return { admin, reader }
}
