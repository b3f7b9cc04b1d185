import { sql } from 'kysely'
import type { TestApp } from '../test-app.ts'

/* Reads the access log, the audit and the clinical tables directly from the database. */

type App = Pick<TestApp, 'db'>

/** Returns the id of the last row; 0 when there is none. */
export const lastAccess = async ({ db }: App): Promise<number> => {
  const { last } = await db
    .selectFrom('acessoSaude')
    .select((eb) => eb.fn.max('idAcesso').as('last'))
    .executeTakeFirstOrThrow()
  return Number(last ?? 0)
}

export const lastAudit = async ({ db }: App): Promise<number> => {
  const { last } = await db
    .selectFrom('auditoria')
    .select((eb) => eb.fn.max('idAuditoria').as('last'))
    .executeTakeFirstOrThrow()
  return Number(last ?? 0)
}

export const accessesAfter = ({ db }: App, id: number) =>
  db.selectFrom('acessoSaude').selectAll().where('idAcesso', '>', id).orderBy('idAcesso').execute()

/** Counts the clinical rows, archived or not, in every version. */
export const clinicalCounts = async ({ db }: App) => {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from beneficiario) as people, (select sum(versao) from beneficiario) as changes,
      (select count(*) from beneficiario_versao) as former,
      (select count(*) from prontuario) as records, (select count(*) from prontuario_versao) as versions,
      (select count(*) from prontuario where arquivado_em is not null) as archived,
      (select count(*) from anexo) as attachments,
      (select count(*) from anexo where arquivado_em is not null) as away`.execute(db)
  return rows[0]
}
