import type { Db } from '../../platform/db/open-database.ts'
import type { Services } from '../../platform/http/services.ts'
import { notify } from '../../platform/notifications/notify.ts'
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
  const isNew = change.mudanca === 'ativado' || change.mudanca === 'trocado'
  const token = isNew && (await createLink(tx, services, { idUsuario, tipo: 'segundo_fator' }))
  const link = token ? linkAddress(services.config, 'segundo_fator', token) : undefined
  const message = (nome: string) => ({ mail: { nome, quando: now.toISOString(), link, ...change } })
  const mail = { services, kind: secondFactorMail, message, isForOwner: true }
  const own = { titulo: factorTitles[change.mudanca], texto: bellTextOf(change), rota: '/segundo-fator' }
  await notify(tx, { audience: [idUsuario], kind: 'segundo_fator_alterado', bell: own, mail }, now)
  if (change.mudanca !== 'redefinido') return
  const { nomeUsuario } = await tx
    .selectFrom('usuario')
    .select('nomeUsuario')
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirstOrThrow()
  const bell = {
    titulo: 'Segundo fator de uma conta redefinido',
    texto: `${change.por} redefiniu o segundo fator de ${nomeUsuario}.`,
  }
  const but = [idUsuario, by ?? idUsuario]
  await notify(tx, { audience: 'guardioes', but, kind: 'seguranca_alterada', bell }, now)
}

/** Notifies in the portal only. */
export const notifySecondFactor = (
  tx: Db,
  idUsuario: number,
  { titulo, texto, now }: { titulo: string; texto: string; now: Date },
): Promise<void> => {
  const bell = { titulo, texto, rota: '/segundo-fator' }
  return notify(tx, { audience: [idUsuario], kind: 'segundo_fator_alterado', bell }, now)
}

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
