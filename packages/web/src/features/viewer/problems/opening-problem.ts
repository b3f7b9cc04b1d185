import { ApiProblem, type ProblemCode, problems } from '@bi-manager/contract'
import { EmbedRefusal } from './embed-problem.ts'
import {
  inSeconds,
  networkProblem,
  notGranted,
  restartBackoff,
  type ViewerProblem,
  waitAsNamed,
  waitFor,
} from './viewer-problem.ts'

/** Returns the texts that explain why a report could not be opened. */
export const openingProblem = (error: unknown): ViewerProblem => {
  if (error instanceof EmbedRefusal)
    return { title: unopened, detail: error.message, action: 'retry', code: error.name }
  if (error instanceof DOMException && error.name === 'TimeoutError') return silentPortal
  if (!(error instanceof ApiProblem)) return networkProblem
  const { codigo, status, message, retryAfter } = error
  if (codigo === 'relatorio_sem_permissao') return notGranted
  // The error page of a gateway in front of a portal that is down.
  if (codigo === 'resposta_invalida' && status >= 502) return networkProblem
  if (status === 404) return notFound
  if (status === 429) return { ...tooManyCalls, reopens: waitAsNamed(retryAfter ?? 30) }
  if (status === 400 || status === 422)
    return {
      title: 'Endereço incorreto',
      detail: 'O endereço deste relatório está incompleto ou incorreto. Abra-o pelo menu.',
      action: 'leave',
    }
  const passes = passing[codigo as ProblemCode]
  const unnamed = isAway(codigo) ? restartBackoff : passes && waitFor(passes)
  const again = retryAfter === undefined ? unnamed : waitAsNamed(retryAfter)
  return {
    title: titleOf(codigo, status),
    detail: message,
    action: codigo === 'bi_relatorio_inexistente' ? 'leave' : 'retry',
    ...(again && status >= 500 ? { reopens: again } : {}),
  }
}

/**
 * Returns whether the API's answer to a token renewal ends the report; other errors are transient.
 */
export const endsReport = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem &&
  (error.codigo === 'bi_relatorio_inexistente' ||
    (error.status < 500 && error.status !== 429 && error.status !== 408))

/** Returns the notice shown while the token of the report on the screen cannot be renewed. */
export const renewalNotice = (error: unknown): string => {
  const { codigo = '', retryAfter = 0 } = error instanceof ApiProblem ? error : {}
  const why =
    codigo.startsWith('bi_') && codigo in problems ? problems[codigo as ProblemCode].title : unrenewed
  const when = retryAfter > 0 ? `em ${inSeconds(retryAfter)}` : 'em instantes'
  return `${why}. O relatório continua na tela; tentaremos de novo ${when}.`
}

const unrenewed = 'O acesso a este relatório não pôde ser renovado agora'

const unopened = 'O relatório não abriu'

const notFound: ViewerProblem = {
  title: 'Relatório não encontrado',
  detail: 'Este relatório não existe ou foi excluído do portal. Abra outro pelo menu.',
  action: 'leave',
}

const silentPortal: ViewerProblem = {
  title: 'O portal não respondeu a tempo',
  detail: 'O servidor demorou demais para abrir este relatório. Confira sua conexão e tente novamente.',
  action: 'retry',
  reopens: waitFor(15),
}

const tooManyCalls: ViewerProblem = {
  title: 'Chamadas demais em pouco tempo',
  detail: 'O portal recebeu chamadas demais e pediu para aguardar.',
  action: 'retry',
}

/** A service that does not answer may be restarting. */
const isAway = (codigo: string): boolean => codigo === 'bi_indisponivel' || codigo === 'servico_indisponivel'

/** Seconds until a retry is worthwhile. Codes not listed here need a person to fix the cause. */
const passing: Partial<Record<ProblemCode, number>> = {
  bi_pausado: 60,
  bi_sobrecarregado: 30,
  bi_sem_resposta: 15,
  bi_resposta_invalida: 30,
  erro_interno: 30,
}

const titleOf = (codigo: string, status: number): string => {
  if (codigo === 'identidade_nao_confirmada' || codigo === 'servico_indisponivel')
    return problems[codigo].title
  if (codigo.startsWith('bi_') && codigo in problems) return problems[codigo as ProblemCode].title
  return status >= 502 ? 'O serviço de BI não respondeu como esperado' : unopened
}
