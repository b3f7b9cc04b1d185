import type { SecondFactorPolicy, SubscriptionSettings } from '@bi-manager/contract'
import { type IdentityRules, sendsIdentity } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'

export type SendingRules = SubscriptionSettings

export const readSendingRules = (db: Db): Promise<SendingRules> =>
  db
    .selectFrom('assinaturaRegras')
    .select(['dominios', 'anexosRestritos', 'anexoMb', 'versao'])
    .executeTakeFirstOrThrow()

/** What decides whether a recipient may get an e-mail. */
export type RecipientRules = SendingRules & { segundoFator: SecondFactorPolicy }

export const readRecipientRules = async (db: Db): Promise<RecipientRules> => ({
  ...(await readSendingRules(db)),
  ...(await db.selectFrom('configuracao').select('segundoFator').executeTakeFirstOrThrow()),
})

/** Whether e-mails of subscriptions may go to this address. */
export const isAllowedAddress = ({ dominios }: Pick<SendingRules, 'dominios'>, email: string): boolean =>
  dominios.length === 0 || dominios.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase())

type Restricting = Pick<IdentityRules, 'papeisRls' | 'enviaIdentidade'> & { sensivel: boolean }

/** Returns why the e-mails of a report may only have a link, in Portuguese; null when they need not. */
export const attachmentDenialReason = (
  { anexosRestritos }: Pick<SendingRules, 'anexosRestritos'>,
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
export const mayLeave = (report: Restricting, rules: Pick<SendingRules, 'anexosRestritos'>): boolean =>
  attachmentDenialReason(rules, report) === null

/** Returns the bytes of the largest file that an e-mail may have. */
export const attachmentLimit = ({ anexoMb }: Pick<SendingRules, 'anexoMb'>): number => anexoMb * 2 ** 20
