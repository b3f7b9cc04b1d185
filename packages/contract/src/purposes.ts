import { z } from 'zod'

/** Why somebody reads or writes medical records. `X-Finalidade` carries the label; of 'Outro', the text goes with it. */
export const purposes = {
  atendimento: 'Atendimento',
  auditoria: 'Auditoria',
  regulacao: 'Regulação',
  outro: 'Outro',
} as const
export type PurposeCode = keyof typeof purposes

/** What the access log says where a program sent no purpose. */
export const NO_PURPOSE = 'Não informada'

/** What it says where something was archived without a reason. */
export const NO_REASON = 'Não informado'

/** Characters of a purpose, and of the reason of an archiving. */
export const PURPOSE_LENGTH = 200

/** Both travel percent-encoded in UTF-8: a header takes no other letters. */
export const PURPOSE_HEADER = 'x-finalidade'
export const REASON_HEADER = 'x-motivo'

/** 'Outro: pedido da ouvidoria' */
export const purposeText = (code: PurposeCode, text = ''): string =>
  code === 'outro' && text.trim() ? `${purposes.outro}: ${text.trim()}` : purposes[code]

/** What was done with a record, attachment or beneficiary, as the access log says it. */
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
