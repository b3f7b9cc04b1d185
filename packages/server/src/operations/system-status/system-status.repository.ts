import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { countRows } from '../../platform/db/queries/list-page.ts'

export const readDatabase = async (db: Db) => {
  const { rows } = await sql<{ versao: string; tamanhoBytes: number; migracao: string; migradaEm: string }>`
    select current_setting('server_version') as versao,
      pg_database_size(current_database())::bigint as tamanho_bytes, m.name as migracao, m.timestamp as migrada_em
    from kysely_migration m order by m.name desc limit 1`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database has no migrations.')
  return row
}

interface Queue {
  aguardando: number
  maisAntigaEm: Date | null
}

export const countMails = (db: Db): Promise<Queue> =>
  db.selectFrom('mensagem').select(queueOf('criadaEm')).executeTakeFirstOrThrow()

/** Counts exports that the provider has not finished; one older than an hour never will be. */
export const countExports = (db: Db, since: Date): Promise<Queue> =>
  db
    .selectFrom('exportacao')
    .select(queueOf('pedidaEm'))
    .where('encerradaEm', 'is', null)
    .where('pedidaEm', '>', since)
    .executeTakeFirstOrThrow()

/** The rows of a queue, and the time of the oldest one. */
const queueOf = (time: string) => [
  sql<number>`count(*)`.as('aguardando'),
  sql<Date | null>`min(${sql.ref(time)})`.as('maisAntigaEm'),
]

/** Counts rows of the audit trail that wait to be sealed. */
export const countUnsealed = async (db: Db): Promise<Queue> => {
  const { rows } = await sql<Queue>`
    select (select count(*) from auditoria_fila) as aguardando,
      (select quando from auditoria where id_auditoria = (select min(id_auditoria) from auditoria_fila)) as mais_antiga_em
  `.execute(db)
  return rows[0] ?? { aguardando: 0, maisAntigaEm: null }
}

/** Counts files of unfinished uploads. */
export const countPendingFiles = (db: Db): Promise<Queue> =>
  db.selectFrom('arquivoPendente').select(queueOf('criadoEm')).executeTakeFirstOrThrow()

export const findMailServer = (db: Db) =>
  db.selectFrom('correio').select(['entregueEm', 'falhandoDesde', 'codigo', 'motivo']).executeTakeFirst()

export const listMailFailures = (db: Db) =>
  db
    .selectFrom('falhaEmail')
    .select(['em', 'modelo', 'codigo', 'motivo', 'desfecho'])
    .orderBy('em', 'desc')
    .orderBy('idMensagem', 'desc')
    .limit(10)
    .execute()

/** Counts e-mails that failed permanently, or still fail, since then. */
export const countUndelivered = (db: Db, since: Date): Promise<number> =>
  countRows(db.selectFrom('falhaEmail').where('desfecho', '<>', 'entregue').where('em', '>', since))

/** Lists connections with their last test: failed ones first, then those never tested. */
export const listTests = (db: Db) =>
  db
    .selectFrom('powerbi')
    .leftJoin('testeConexao', 'testeConexao.idPowerBi', 'powerbi.idPowerBi')
    .select(['powerbi.idPowerBi', 'nome', 'powerbi.versao', 'testeConexao.versao as versaoTestada'])
    .select(['em', 'resultado', 'detalhe'])
    .orderBy(sql`coalesce(resultado, 'nunca') = 'ok'`)
    .orderBy(sql`coalesce(resultado, 'nunca') <> 'falha'`)
    .orderBy('nomeNatural')
    .orderBy('powerbi.idPowerBi')
    .limit(100)
    .execute()

export const countConnections = (db: Db): Promise<number> => countRows(db.selectFrom('powerbi'))

/** Returns the time of the last backup in the audit trail. */
export const findRecordedBackup = async (db: Db): Promise<Date | undefined> => {
  const row = await db
    .selectFrom('auditoria')
    .select('quando')
    .where('acao', '=', 'backup.created')
    .orderBy('idAuditoria', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.quando
}
