import { ApiProblem, type ProblemCode, problems } from '@bi-manager/contract'
import { BUG_MESSAGE, isNetworkError } from '../../../lib/api/errors.ts'
import { requiresReauthentication } from '../../../lib/api/reauthentication.ts'
import { inSeconds } from '../../../lib/text/wait-sentence.ts'
import { EmbedRefusal } from './embed-problem.ts'
import {
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
    return { title: openingFailed, detail: error.message, action: 'retry', code: error.name }
  if (error instanceof DOMException && error.name === 'TimeoutError') return silentPortal
  if (isNetworkError(error) || error instanceof SyntaxError) return networkProblem
  if (!(error instanceof ApiProblem)) return bug
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
  const seconds = transientSeconds[codigo as ProblemCode]
  const ownWait = isServiceDown(codigo) ? restartBackoff : seconds && waitFor(seconds)
  const reopens = retryAfter === undefined ? ownWait : waitAsNamed(retryAfter)
  return {
    title: titleOf(codigo, status),
    detail: message,
    action: unsolvable.has(codigo) ? 'leave' : 'retry',
    ...formOf(codigo),
    ...(codigo === 'capacidade_iniciando' ? { isStarting: true as const } : {}),
    ...(reopens && status >= 500 ? { reopens } : {}),
  }
}

const formOf = (codigo: string): Pick<ViewerProblem, 'form'> => {
  if (codigo === 'bi_identidade_necessaria') return { form: 'report' }
  return ['identidade_nao_confirmada', 'ver_como_indisponivel'].includes(codigo) ? { form: 'person' } : {}
}

/**
 * Returns whether the API's answer to a token renewal ends the report; other errors are transient.
 */
export const endsReport = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem &&
  !requiresReauthentication(error) &&
  (error.codigo === 'bi_relatorio_inexistente' ||
    (error.status < 500 && error.status !== 429 && error.status !== 408))

/** Returns the notice shown while the token of the report on the screen cannot be renewed. */
export const renewalNotice = (error: unknown): string => {
  if (requiresReauthentication(error)) return reauthenticationNeeded
  const { codigo = '', retryAfter = 0 } = error instanceof ApiProblem ? error : {}
  const why =
    codigo.startsWith('bi_') && Object.hasOwn(problems, codigo)
      ? problems[codigo as ProblemCode].title
      : renewalFailed
  const when = retryAfter > 0 ? `em ${inSeconds(retryAfter)}` : 'em instantes'
  return `${why}. O relatório continua na tela; tentaremos de novo ${when}.`
}

const renewalFailed = 'O acesso a este relatório não pôde ser renovado agora'

const reauthenticationNeeded = 'Confirme que é você para continuar vendo este relatório.'

const openingFailed = 'O relatório não abriu'

const bug: ViewerProblem = { title: openingFailed, detail: BUG_MESSAGE, action: 'retry' }

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

/** Returns whether a service did not answer: it may be restarting. */
const isServiceDown = (codigo: string): boolean =>
  codigo === 'bi_indisponivel' || codigo === 'servico_indisponivel'

/** Seconds until an automatic retry. Codes not listed here need a person to fix the cause. */
const transientSeconds: Partial<Record<ProblemCode, number>> = {
  bi_pausado: 60,
  bi_sobrecarregado: 30,
  bi_sem_resposta: 15,
  bi_resposta_invalida: 30,
  erro_interno: 30,
}

/** Problems that a retry does not solve. */
const unsolvable = new Set(['bi_relatorio_inexistente', 'ver_como_indisponivel', 'paginado_com_filtro'])

/** Their own titles are shown, like those of the provider's and the capacity's problems. */
const namedCodes = new Set([
  'identidade_nao_confirmada',
  'servico_indisponivel',
  'ver_como_indisponivel',
  'paginado_com_filtro',
])

const titleOf = (codigo: string, status: number): string => {
  const isNamed = namedCodes.has(codigo) || /^(bi|capacidade)_/.test(codigo)
  if (isNamed && Object.hasOwn(problems, codigo)) return problems[codigo as ProblemCode].title
  return status >= 502 ? 'O serviço de BI não respondeu como esperado' : openingFailed
}
