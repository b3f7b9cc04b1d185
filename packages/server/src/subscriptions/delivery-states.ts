import type { SubscriptionMailState } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'

interface Change {
  idExecucao: number
  people: readonly number[]
  estado: SubscriptionMailState
  /** Portuguese. */
  motivo: string | null
  em: Date
}

/** Changes the state of e-mails that are not decided yet. */
export const setState = async (tx: Db, { idExecucao, people, estado, motivo, em }: Change): Promise<void> => {
  await sql`update assinatura_entrega
    set estado = ${estado}, motivo = ${motivo}::text, em = ${em}::timestamptz
    where id_execucao = ${idExecucao} and id_usuario = any(${[...people]}::int[])
      and estado in ('PENDENTE', 'NA_FILA')`.execute(tx)
}
