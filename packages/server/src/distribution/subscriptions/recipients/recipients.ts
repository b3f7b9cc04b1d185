import { type Expression, type RawBuilder, sql } from 'kysely'
import { isCurrent } from '../../../platform/db/queries/expiry.ts'

type Id = number | Expression<number>

/** SQL for the ids of the people of a subscription, by themselves or by a profile. */
const peopleOf = (idAssinatura: Id) => sql<number>`
  select id_usuario from assinatura_pessoa where id_assinatura = ${idAssinatura}
  union
  select pu.id_usuario from assinatura_perfil ap join perfil_usuario pu using (id_perfil)
  where ap.id_assinatura = ${idAssinatura} and ${isCurrent('pu.venceEm')}`

/** SQL for the ids of the recipients of a subscription: without those who unsubscribed. */
export const recipientsOf = (idAssinatura: Id): RawBuilder<number> => sql<number>`
  ${peopleOf(idAssinatura)}
  except
  select id_usuario from assinatura_saida where id_assinatura = ${idAssinatura}`

/** SQL for the ids of the subscriptions of a person, also of those from which they unsubscribed. */
export const subscriptionsFor = (idUsuario: Id): RawBuilder<number> => sql<number>`
  select id_assinatura from assinatura_pessoa where id_usuario = ${idUsuario}
  union
  select ap.id_assinatura from perfil_usuario pu join assinatura_perfil ap using (id_perfil)
  where pu.id_usuario = ${idUsuario} and ${isCurrent('pu.venceEm')}`
