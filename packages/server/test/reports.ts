import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Tables } from '../src/platform/db/types.ts'
import type { TestApp } from './test-app.ts'

type Fields<T extends keyof Tables> = Partial<Insertable<Tables[T]>>

export const createConnection = (
  { db, services }: Pick<TestApp, 'db'> & { services: Pick<TestApp['services'], 'secrets'> },
  fields: Fields<'powerbi'> = {},
) =>
  db
    .insertInto('powerbi')
    .values({
      nome: 'Conexão de teste',
      username: 'principal',
      segredo: services.secrets.encrypt('segredo-da-conexao'),
      provedor: 'microsoft',
      tenantId: randomUUID(),
      applicationId: randomUUID(),
      tipoCredencial: 'service_principal',
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

export const createWorkspace = (
  { db }: Pick<TestApp, 'db'>,
  fields: Fields<'grupoRelatorio'> & { idPowerBi: number },
) =>
  db
    .insertInto('grupoRelatorio')
    .values({ nomeGrupo: 'Workspace', idGrupo: randomUUID(), ...fields })
    .returningAll()
    .executeTakeFirstOrThrow()

export const createReport = (
  { db }: Pick<TestApp, 'db'>,
  fields: Fields<'relatorio'> & { idGrupoRelatorio: number },
) =>
  db
    .insertInto('relatorio')
    .values({ nomeRelatorio: 'Relatório', operadoraRelatorio: 'CNU', reportId: randomUUID(), ...fields })
    .returningAll()
    .executeTakeFirstOrThrow()

export const grantReport = async ({ db }: Pick<TestApp, 'db'>, idUsuario: number, idRelatorio: number) => {
  await db.insertInto('relatorioUsuario').values({ idUsuario, idRelatorio }).execute()
}
