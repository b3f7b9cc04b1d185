import type { SubscriptionMailState } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/open-database.ts'

interface Change {
  idExecucao: number
  /** The recipients of these e-mails, or the file that they wait for. */
  of: { people: readonly number[] } | { idArquivo: number }
  estado: SubscriptionMailState
  /** Portuguese. */
  motivo: string | null
  em: Date
}

/** Changes the state of e-mails that are not decided yet. */
export const setMailState = async (tx: Db, { idExecucao, of, estado, motivo, em }: Change): Promise<void> => {
  const isOne =
    'people' in of ? sql`id_usuario = any(${[...of.people]}::int[])` : sql`id_arquivo = ${of.idArquivo}`
  await sql`update assinatura_entrega
    set estado = ${estado}, motivo = ${motivo}::text, em = ${em}::timestamptz
    where id_execucao = ${idExecucao} and ${isOne}
      and estado in ('PENDENTE', 'NA_FILA')`.execute(tx)
}
