import type { Db } from '../../platform/db/open-database.ts'
import type { Services } from '../../platform/http/services.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { notifySecurity } from '../../platform/notifications/notify-security.ts'
import { type FactorChange, factorTitles, secondFactorMail } from '../accounts.mail.ts'
import { createLink, linkAddress } from './account-links.ts'

/**
 * Notifies the user of a change of their second factor in the portal and by e-mail, and every ADMIN
 * and officer of a reset but the one who made it. The e-mail about a new second factor has a link that
 * removes it.
 */
export const notifySecondFactorChanged = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now' | 'config'>,
  idUsuario: number,
  change: FactorChange,
  by?: number,
): Promise<void> => {
  const now = services.now()
  const { nomeUsuario: nome, emailUsuario: para } = await tx
    .selectFrom('usuario')
    .select(['nomeUsuario', 'emailUsuario'])
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirstOrThrow()
  const titulo = factorTitles[change.mudanca]
  await notifySecondFactor(tx, idUsuario, { titulo, texto: bellTextOf(change), now })
  const isNew = change.mudanca === 'ativado' || change.mudanca === 'trocado'
  const token = isNew && (await createLink(tx, services, { idUsuario, tipo: 'segundo_fator' }))
  const link = token ? linkAddress(services.config, 'segundo_fator', token) : undefined
  const mail = { nome, quando: now.toISOString(), link, ...change }
  await queueMail(tx, services, secondFactorMail, { para, mail })
  if (change.mudanca !== 'redefinido') return
  const texto = `${change.por} redefiniu o segundo fator de ${nome}.`
  await notifySecurity(tx, { titulo: 'Segundo fator de uma conta redefinido', texto }, now, by)
}

/** Notifies in the portal only. */
export const notifySecondFactor = (
  tx: Db,
  idUsuario: number,
  { titulo, texto, now }: { titulo: string; texto: string; now: Date },
): Promise<void> =>
  notify(tx, [idUsuario], { tipo: 'segundo_fator_alterado', titulo, texto, rota: '/segundo-fator' }, now)

const bellTextOf = (change: FactorChange): string => {
  switch (change.mudanca) {
    case 'ativado':
      return `A sua conta agora pede um código ao entrar. ${NOT_YOU}`
    case 'trocado':
      return `O aparelho anterior e os códigos de recuperação dele não valem mais. ${NOT_YOU}`
    case 'desativado':
      return `A sua conta não pede mais um código ao entrar. ${NOT_YOU}`
    case 'codigos':
      return `Os códigos anteriores não valem mais. ${NOT_YOU}`
    case 'redefinido':
      return `${change.por} retirou o segundo fator da sua conta. Configure-o de novo no seu aparelho.`
  }
}

const NOT_YOU = 'Se não foi você, avise um administrador.'
