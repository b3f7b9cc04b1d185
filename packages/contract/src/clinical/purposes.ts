import { z } from '../calls/zod.ts'

/** Purposes of access to medical records. `X-Finalidade` carries the label or 'Outro: …'. */
export const purposes = {
  atendimento: 'Atendimento',
  auditoria: 'Auditoria',
  regulacao: 'Regulação',
  outro: 'Outro',
} as const
export type PurposeCode = keyof typeof purposes

/** The access log's text for a call without a purpose. */
export const NO_PURPOSE = 'Não informada'

/** The access log's text for an archiving without a reason. */
export const NO_REASON = 'Não informado'

/** Maximum length of a purpose and of an archiving's reason. */
export const PURPOSE_LENGTH = 200

/** Both values are percent-encoded UTF-8, because headers are ASCII. */
export const PURPOSE_HEADER = 'x-finalidade'
export const REASON_HEADER = 'x-motivo'

/** Returns the label, or 'Outro: pedido da ouvidoria'. */
export const purposeText = (code: PurposeCode, text = ''): string =>
  code === 'outro' && text.trim() ? `${purposes.outro}: ${text.trim()}` : purposes[code]

/** Actions on a record, attachment or beneficiary → text in the access log. */
export const accessActions = {
  lido: 'Leu',
  buscado: 'Buscou',
  registrado: 'Registrou',
  alterado: 'Alterou',
  arquivado: 'Arquivou',
  impresso: 'Imprimiu',
  baixado: 'Baixou',
  exportado: 'Exportou',
} as const
export const AccessAction = z.enum(
  Object.keys(accessActions) as [keyof typeof accessActions, ...(keyof typeof accessActions)[]],
)
export type AccessAction = z.infer<typeof AccessAction>

export const accessObjects = {
  beneficiario: 'Beneficiário',
  prontuario: 'Prontuário',
  anexo: 'Anexo',
} as const
export const AccessObject = z.enum(['beneficiario', 'prontuario', 'anexo'])
export type AccessObject = z.infer<typeof AccessObject>
