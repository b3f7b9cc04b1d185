import type { Db } from '../../platform/db/open-database.ts'
import type { ChainLink, SealedRow } from './chain.ts'

export interface LinkedRow {
  link: ChainLink
  /** Undefined when the row was deleted. */
  row: SealedRow | undefined
}

/** Returns the next links of the chain, each with its row. */
export const readLinks = async (db: Db, after: number, limit: number): Promise<LinkedRow[]> => {
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('auditoriaElo')
        .selectAll()
        .where('ordem', '>', after)
        .orderBy('ordem')
        .limit(limit)
        .as('e'),
    )
    .leftJoin('auditoria as a', 'a.idAuditoria', 'e.idAuditoria')
    .select(['ordem', 'e.idAuditoria', 'e.chave as chaveElo', 'elo'])
    .select(['evento', 'quando', 'idUsuario', 'acao', 'objeto', 'detalhes', 'endereco', 'idRequisicao'])
    .select(['a.chave', 'marca'])
    .orderBy('ordem')
    .execute()
  return rows.map(({ ordem, idAuditoria, chaveElo, elo, quando, acao, detalhes, ...row }) => ({
    link: { ordem, idAuditoria, chave: chaveElo, elo },
    row: quando && acao !== null && detalhes ? { ...row, quando, acao, detalhes } : undefined,
  }))
}
