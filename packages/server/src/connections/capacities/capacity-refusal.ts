import { Problem } from '../../platform/lib/problem.ts'
import type { Connection } from '../power-bi/connection.ts'
import { adviceFor } from '../power-bi/provider-advice.ts'
import type { ProviderRefusal } from '../power-bi/provider-call.ts'

/** Maps a refusal of Azure Resource Manager to a problem that says what to do. */
export const problemOfCapacityRefusal = (refusal: ProviderRefusal): Problem => {
  const { status, code, retryAfter } = refusal
  const shownCode = /^[A-Za-z]{3,60}$/.test(code) ? ` (Código: ${code}.)` : ''
  const detail = `${sentenceOf(status)}${shownCode}`
  if (status === 409) return new Problem('capacidade_ocupada', { detail, cause: refusal })
  if (status === 429 || status >= 500)
    return new Problem('capacidade_sem_resposta', { detail, retryAfter: retryAfter ?? 30, cause: refusal })
  return new Problem('capacidade_recusada', { detail, cause: refusal })
}

const sentenceOf = (status: number): string => {
  if (status === 401 || status === 403)
    return 'O Azure não deixa o aplicativo da conexão mudar esta capacidade. No portal do Azure, abra a capacidade, Controle de acesso (IAM), e dê ao aplicativo o papel de Colaborador, ou um papel com ler, gravar, suspender e retomar a capacidade.'
  if (status === 404)
    return 'O Azure não encontrou esta capacidade. Confira o ID do recurso no portal do Azure, em Exibição JSON, e se ela não foi excluída.'
  if (status === 409)
    return 'O Azure está executando outra mudança nesta capacidade. Aguarde que ela termine e tente de novo.'
  if (status === 429)
    return 'O Azure recebeu chamadas demais e pede para aguardar. Tente de novo em instantes.'
  if (status >= 500) return 'O Azure está com problemas. Tente de novo em instantes.'
  return 'O Azure não aceitou a mudança desta capacidade.'
}

/** Returns the sentence for administrators about a failed call. */
export const capacityFailure = (error: unknown, connection: Connection): string => {
  if (!(error instanceof Problem)) throw error
  return error.codigo.startsWith('capacidade_') ? error.message : adviceFor(error, connection)
}
