import { sql } from 'kysely'
import type { Db } from '../../../platform/db/open-database.ts'
import { hasChanged } from '../../../platform/db/queries/outcomes.ts'
import { recipientsOf } from './recipients.ts'

interface Named {
  idPessoas: readonly number[]
  idPerfis: readonly number[]
}

/**
 * Replaces the people and profiles of a subscription. A person who is named again after having
 * unsubscribed stays out.
 */
export const replaceRecipients = async (
  tx: Db,
  idAssinatura: number,
  { idPessoas, idPerfis }: Named,
): Promise<void> => {
  await tx.deleteFrom('assinaturaPessoa').where('idAssinatura', '=', idAssinatura).execute()
  await tx.deleteFrom('assinaturaPerfil').where('idAssinatura', '=', idAssinatura).execute()
  await sql`insert into assinatura_pessoa (id_assinatura, id_usuario)
    select ${idAssinatura}::int, unnest(${[...idPessoas]}::int[])`.execute(tx)
  await sql`insert into assinatura_perfil (id_assinatura, id_perfil)
    select ${idAssinatura}::int, unnest(${[...idPerfis]}::int[])`.execute(tx)
}

export const listRecipients = async (tx: Db, idAssinatura: number): Promise<number[]> => {
  const { rows } = await sql<{ idUsuario: number }>`${recipientsOf(idAssinatura)}`.execute(tx)
  return rows.map(({ idUsuario }) => idUsuario)
}

/** @returns whether the person had not left before */
export const insertExit = (tx: Db, idAssinatura: number, idUsuario: number, em: Date): Promise<boolean> =>
  hasChanged(
    tx
      .insertInto('assinaturaSaida')
      .values({ idAssinatura, idUsuario, em })
      .onConflict((conflict) => conflict.doNothing()),
  )

/** @returns whether the person had left */
export const deleteExit = (tx: Db, idAssinatura: number, idUsuario: number): Promise<boolean> =>
  hasChanged(
    tx
      .deleteFrom('assinaturaSaida')
      .where('idAssinatura', '=', idAssinatura)
      .where('idUsuario', '=', idUsuario),
  )
