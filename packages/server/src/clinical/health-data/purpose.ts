import { NO_PURPOSE, NO_REASON, PURPOSE_LENGTH, type PurposeCode, purposes } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import type { Selectable } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Tables } from '../../platform/db/types.ts'
import { orUndefined } from '../../platform/lib/or-undefined.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { decryptText } from './encrypted-json.ts'
import { purposeContext } from './encryption-contexts.ts'

interface Purpose {
  code: PurposeCode | 'nao_informada'
  /** The typed text, without the code's own label. */
  text: string | null
}

/**
 * Parses `X-Finalidade`, the purpose of a read or write: one of the labels, or any other text,
 * which counts as 'Outro'.
 * @throws Problem 400 when the header is not percent-encoded UTF-8, or longer than PURPOSE_LENGTH
 */
export const purposeOf = (request: FastifyRequest): Purpose => {
  const text = decodedHeader(request, 'x-finalidade', 'X-Finalidade')
  if (text === undefined || text === NO_PURPOSE) return { code: 'nao_informada', text: null }
  const known = (Object.keys(purposes) as PurposeCode[]).find((code) => isSame(purposes[code], text))
  if (known) return { code: known, text: null }
  return { code: 'outro', text: text.replace(/^outro:\s*/i, '') || null }
}

/** Parses `X-Motivo`, the reason of an archiving. @throws Problem 400, like `purposeOf` */
export const reasonOf = (request: FastifyRequest): string =>
  decodedHeader(request, 'x-motivo', 'X-Motivo') ?? NO_REASON

/** Returns 'Atendimento', 'Outro: pedido da ouvidoria', 'Não informada'. */
export const purposeInWords = (
  {
    idAcesso,
    finalidade,
    finalidadeTexto,
  }: Pick<Selectable<Tables['acessoSaude']>, 'idAcesso' | 'finalidade' | 'finalidadeTexto'>,
  secrets: Secrets,
): string => {
  if (finalidade === 'nao_informada') return NO_PURPOSE
  if (finalidadeTexto === null) return purposes[finalidade]
  return `${purposes[finalidade]}: ${decryptText(secrets, finalidadeTexto, purposeContext(idAcesso))}`
}

const decodedHeader = ({ headers }: FastifyRequest, name: string, asSaid: string): string | undefined => {
  const raw = headers[name]
  if (raw === undefined) return undefined
  const text = decoded(String(raw))
    ?.normalize('NFC')
    .replace(/\p{Cc}+/gu, ' ')
    // Invisible and bidirectional marks could mislead the readers of the log.
    .replace(/\p{Cf}/gu, '')
    .trim()
  if (text === undefined || text.length > PURPOSE_LENGTH) {
    throw new Problem('requisicao_invalida', {
      detail: `O cabeçalho ${asSaid} não pôde ser lido: use até ${PURPOSE_LENGTH} caracteres em UTF-8, codificados com %.`,
    })
  }
  return text || undefined
}

const decoded = (raw: string): string | undefined => {
  const text = orUndefined(() => decodeURIComponent(raw))
  return text?.isWellFormed() ? text : undefined
}

const isSame = (a: string, b: string): boolean => a.localeCompare(b, 'pt-BR', { sensitivity: 'base' }) === 0
