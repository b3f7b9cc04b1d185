import { domainOf } from '../calls/email.ts'
import { callsOf, namedObject } from '../calls/endpoint.ts'
import { z } from '../calls/zod.ts'

/** A domain of e-mail addresses, in the form of `domainOf`. */
export const deliveryDomain = z
  .string()
  .trim()
  .max(253, 'Informe um domínio, como exemplo.com.br.')
  .transform((text, context) => {
    const domain = domainOf(text)
    if (!domain?.includes('.'))
      context.addIssue({ code: 'custom', message: 'Informe um domínio, como exemplo.com.br.' })
    return domain ?? z.NEVER
  })

/** Megabytes. Many mail servers refuse more than 25 MB, and base64 adds a third. */
export const ATTACHMENT_MB = { usual: 10, most: 18 } as const

/** The rules of the installation for subscriptions. */
export const SubscriptionSettings = namedObject('SubscriptionSettings', {
  /** Only addresses of these domains get e-mails; empty: of any domain. */
  dominios: z.array(z.string()),
  /** Files of reports with roles, with an identity, or marked as sensitive may be attached. */
  anexosRestritos: z.boolean(),
  anexoMb: z.number().int(),
  versao: z.number().int(),
})
export type SubscriptionSettings = z.infer<typeof SubscriptionSettings>

const megabytes = `Informe de 1 a ${ATTACHMENT_MB.most} MB.`

export const SubscriptionSettingsUpdate = namedObject('SubscriptionSettingsUpdate', {
  dominios: z
    .array(deliveryDomain)
    .max(100, 'No máximo 100 domínios.')
    .transform((domains) => [...new Set(domains)]),
  anexosRestritos: z.boolean(),
  anexoMb: z.number(megabytes).int(megabytes).min(1, megabytes).max(ATTACHMENT_MB.most, megabytes),
})
export type SubscriptionSettingsUpdate = z.infer<typeof SubscriptionSettingsUpdate>

const { get, put } = callsOf({ tag: 'Assinaturas', permission: 'settings:manage' })

export const subscriptionSettingsApi = {
  get: get('/configuracao/assinaturas', 'As regras da instalação para assinaturas', {
    response: { 200: SubscriptionSettings },
  }),
  update: put('/configuracao/assinaturas', 'Muda as regras da instalação para assinaturas', {
    reauthentication: { if: 'permite anexos de dados restritos, ou mais domínios de e-mail' },
    body: SubscriptionSettingsUpdate,
    response: { 200: SubscriptionSettings },
  }),
}
