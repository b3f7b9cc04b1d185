import {
  fittingLine,
  MAX_USAGE_EVENTS,
  reportsApi,
  type UsageEvents as Sent,
  sessionsApi,
  usageApi,
} from '@bi-manager/contract'
import { call, callInBackground } from '../../../lib/api/api.ts'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import { currentSession, lastUserActivity } from '../../../lib/session/session.ts'
import { silentFrame, unreachedFrame, type ViewerProblem } from '../problems/viewer-problem.ts'

const reportEveryMs = 60_000

/**
 * Reports use inside a report to the portal, which does not see the frame's calls to the BI
 * service. Sends nothing within a minute of the last use in any tab.
 */
export class UseReporter {
  #isReporting = false

  async report(): Promise<void> {
    if (this.#isReporting || Math.abs(serverNow() - lastUserActivity()) < reportEveryMs) return
    this.#isReporting = true
    try {
      await call(sessionsApi.current, {}, { signal: AbortSignal.timeout(15_000) })
    } catch (error) {
      // The next click reports it again; `call` handles an expired session.
      console.info('O uso do relatório não pôde ser informado.', error)
    } finally {
      this.#isReporting = false
    }
  }
}

const longestView = 600_000

/** Sends a view for statistics; errors are only logged. */
export const sendView = async (id: number, loadedMs: number, renderedMs: number): Promise<void> => {
  const rounded = (ms: number) => Math.min(longestView, Math.round(ms))
  try {
    await call(
      reportsApi.recordView,
      { params: { id }, body: { carregadoMs: rounded(loadedMs), renderizadoMs: rounded(renderedMs) } },
      { signal: AbortSignal.timeout(15_000) },
    )
  } catch (error) {
    console.warn('A visualização não pôde ser registrada.', error)
  }
}

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
  /** The title of the page that the user changed to last. */
  #changedTo: string | undefined

  /** @param life aborted when the report is closed, which sends what is left */
  constructor(life: AbortSignal) {
    life.addEventListener('abort', () => this.#send(), { once: true })
    // A hidden page may be closed without a further event.
    document.addEventListener('visibilitychange', () => document.hidden && this.#send(), { signal: life })
  }

  setReportId(idRelatorio: number): void {
    this.#idRelatorio = idRelatorio
  }

  pageChanged(title: string | undefined): void {
    this.#changedTo = title
    this.#add('pagina', title)
  }

  /** A page that the user has changed to before its title was read is counted already. */
  firstPageShown(title: string | undefined): void {
    if (title !== this.#changedTo) this.#add('pagina', title)
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
