import type { SetupStepName } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'

type Found = Exclude<SetupStepName, 'copia' | 'segundo_fator'> | 'segundoFator' | 'servicoLocal'

/** Returns what is registered, and what this ADMIN has done for their own account. */
export const readSetup = async (db: Db, idUsuario: number): Promise<Record<Found, boolean>> => {
  const { rows } = await sql<Record<Found, boolean>>`
    select quem.trocar_senha is null as senha,
      quem.tem_segundo_fator as segundo_fator,
      exists (select from powerbi) as conexao,
      exists (select from powerbi where provedor = 'local') as servico_local,
      exists (
        select from teste_conexao join powerbi using (id_power_bi, versao) where resultado <> 'falha'
      ) as teste,
      exists (select from grupo_relatorio) as workspace,
      exists (select from relatorio) as relatorio,
      exists (select from usuario where ${isActiveAccount()} and id_usuario <> ${idUsuario}) as pessoa,
      exists (select from relatorio_usuario) or exists (
        select from perfil_relatorio join perfil_usuario using (id_perfil)
      ) as permissao,
      exists (select from correio where entregue_em is not null and falhando_desde is null) as email
    from usuario quem where id_usuario = ${idUsuario}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`The user ${idUsuario} is missing.`)
  return row
}
