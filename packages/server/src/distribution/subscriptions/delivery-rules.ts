import type { SecondFactorPolicy, SubscriptionSettings } from '@bi-manager/contract'
import { type IdentityRules, sendsIdentity } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'

export type DeliveryRules = SubscriptionSettings

export const readDeliveryRules = (db: Db): Promise<DeliveryRules> =>
  db
    .selectFrom('assinaturaRegras')
    .select(['dominios', 'anexosRestritos', 'anexoMb', 'versao'])
    .executeTakeFirstOrThrow()

/** What decides whether a recipient may get an e-mail. */
export type RecipientRules = DeliveryRules & { segundoFator: SecondFactorPolicy }

export const readRecipientRules = async (db: Db): Promise<RecipientRules> => ({
  ...(await readDeliveryRules(db)),
  ...(await db.selectFrom('configuracao').select('segundoFator').executeTakeFirstOrThrow()),
})

/** Whether e-mails of subscriptions may go to this address. */
export const isAllowedAddress = ({ dominios }: Pick<DeliveryRules, 'dominios'>, email: string): boolean =>
  dominios.length === 0 || dominios.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase())

type Restricting = Pick<IdentityRules, 'papeisRls' | 'enviaIdentidade'> & { sensivel: boolean }

/** Returns why the e-mails of a report may only have a link, in Portuguese; null when they need not. */
export const attachmentDenialReason = (
  { anexosRestritos }: Pick<DeliveryRules, 'anexosRestritos'>,
  report: Restricting,
): string | null => {
  if (anexosRestritos) return null
  if (report.sensivel)
    return 'Os dados deste relatório estão marcados como sensíveis: o e-mail leva só um link.'
  return sendsIdentity(report)
    ? 'Este relatório mostra linhas diferentes a cada pessoa: o e-mail leva só um link.'
    : null
}

/**
 * Whether data of a report may leave the portal, in an e-mail or a webhook: values, words of filters,
 * values of parameters and files.
 */
export const mayLeave = (report: Restricting, rules: Pick<DeliveryRules, 'anexosRestritos'>): boolean =>
  attachmentDenialReason(rules, report) === null

/** Returns the bytes of the largest file that an e-mail may have. */
export const attachmentLimit = ({ anexoMb }: Pick<DeliveryRules, 'anexoMb'>): number => anexoMb * 2 ** 20
