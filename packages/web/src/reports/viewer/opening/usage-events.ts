import { fittingLine, MAX_USAGE_EVENTS, type UsageEvents as Sent, usageApi } from '@bi-manager/contract'
import { callInBackground } from '../../../lib/api/api.ts'
import { currentSession } from '../../../lib/session/session.ts'
import { silentFrame, unreachedFrame, type ViewerProblem } from '../problems/viewer-problem.ts'

type UsageEvent = Sent['eventos'][number]

const sendAfterMs = 15_000
const callLimitMs = 15_000
const longestName = 200

/**
 * Collects the pages, filters and errors of an opened report and sends them in batches: names only,
 * never values. Errors of the calls are only logged.
 */
export class UsageEvents {
  #waiting: UsageEvent[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #idRelatorio: number | undefined

  /** @param life aborted when the report is closed, which sends what is left */
  constructor(life: AbortSignal) {
    life.addEventListener('abort', () => this.#send(), { once: true })
    // A hidden page may be closed without a further event.
    document.addEventListener('visibilitychange', () => document.hidden && this.#send(), { signal: life })
  }

  setReportId(idRelatorio: number): void {
    this.#idRelatorio = idRelatorio
  }

  pageOpened(title: string | undefined): void {
    this.#add('pagina', title)
  }

  filtered(columns: readonly string[]): void {
    for (const column of columns) this.#add('filtro', column)
  }

  /** Counts a problem of the report, not a missing permission or connection. */
  failed(problem: Pick<ViewerProblem, 'code'>): void {
    const isSilent = problem === silentFrame || problem === unreachedFrame
    this.#add('erro', isSilent ? 'sem_resposta' : problem.code && codeOf(problem.code))
  }

  #add(tipo: UsageEvent['tipo'], nome: string | undefined): void {
    const name = fittingLine(nome ?? '', longestName)
    if (!name) return
    this.#waiting.push({ tipo, nome: name })
    if (this.#waiting.length >= MAX_USAGE_EVENTS) this.#send()
    else this.#timer ??= setTimeout(() => this.#send(), sendAfterMs)
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const eventos = this.#waiting
    this.#waiting = []
    const id = this.#idRelatorio
    if (eventos.length === 0 || id === undefined || !currentSession()) return
    callInBackground(
      usageApi.recordEvents,
      { params: { id }, body: { eventos } },
      { limitMs: callLimitMs, keepalive: true },
    ).catch((error: unknown) => console.info('O uso do relatório não pôde ser registrado.', error))
  }
}

/** A message in place of a code could quote values. */
const codeOf = (code: string): string => (/^[\w.-]{1,80}$/.test(code) ? code : 'desconhecido')
