import { sql } from 'kysely'
import type { Db } from '../../../platform/db/open-database.ts'

/** A recipient with the content of their last e-mail; null without one. */
interface LastMail {
  idUsuario: number
  /** When its data were refreshed. */
  dadosDe: Date | null
  /** The digest of what determines its rows, and of the subscription's version. */
  alcance: string | null
  /** The digest of its rows; null when the provider does not tell them apart. */
  resumo: string | null
}

/**
 * Returns the recipients whose e-mail of a run is pending, with the last e-mail of an earlier run that
 * the mail server accepted or that is queued. Skipped and failed ones reached no recipient, and a test
 * went to the person who asked for it.
 */
export const listLastMails = async (
  db: Db,
  { idExecucao, idArquivo }: { idExecucao: number; idArquivo?: number },
): Promise<LastMail[]> => {
  const { rows } = await sql<LastMail>`
    select d.id_usuario, ultimo.dados_de, ultimo.alcance, ultimo.resumo
    from assinatura_entrega d
    join assinatura_execucao e using (id_execucao)
    left join lateral (
      select f.dados_de, a.alcance, a.resumo
      from assinatura_execucao f
      join assinatura_entrega m on m.id_execucao = f.id_execucao and m.id_usuario = d.id_usuario
      left join assinatura_arquivo a on a.id_arquivo = m.id_arquivo
      where f.id_assinatura = e.id_assinatura and f.id_execucao < e.id_execucao and f.causa <> 'TESTE'
        and m.estado in ('NA_FILA', 'ENVIADA')
      order by f.id_execucao desc limit 1) ultimo on true
    where d.id_execucao = ${idExecucao} and d.estado = 'PENDENTE'
      and (${idArquivo ?? null}::int is null or d.id_arquivo = ${idArquivo ?? null})`.execute(db)
  return rows
}
