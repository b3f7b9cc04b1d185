import { ApiProblem, type ReportExportRequest, reportExportsApi } from '@bi-manager/contract'
import { useEffect, useRef, useState } from 'react'
import { call, callInBackground } from '../../../lib/api/api.ts'
import { isNetworkError } from '../../../lib/api/errors.ts'
import { saveFile } from '../../../lib/browser/save-file.ts'
import { callFailureSentence } from '../problems/embed-problem.ts'
import { pause } from '../problems/time-limit.ts'

export interface ExportState {
  phase: 'parada' | 'gerando' | 'baixando' | 'pronta' | 'erro'
  /** 0 to 100. */
  percent: number
  /** The error as a Portuguese sentence. */
  fault: string
}

export interface ExportInput {
  idRelatorio: number
  /** The name of the saved file. */
  fileName: string
  body: ReportExportRequest
}

const idle: ExportState = { phase: 'parada', percent: 0, fault: '' }
const firstLookMs = 1_000
const longestPauseMs = 5_000
/** How many polls in a row may fail because the service is busy or the network down. */
const patience = 6
/** Microsoft ends an export after this time. */
const waitLimitMs = 60 * 60_000

/**
 * Exports one report at a time: starts, polls, saves the file. Unmounting or `cancel` aborts it.
 */
export const useReportExport = () => {
  const [state, setState] = useState(idle)
  const life = useRef<AbortController>(undefined)
  useEffect(() => () => life.current?.abort(), [])

  const start = async (input: () => Promise<ExportInput>) => {
    life.current?.abort()
    const own = new AbortController()
    life.current = own
    const notify = (change: Partial<ExportState>) => {
      if (!own.signal.aborted) setState((before) => ({ ...before, ...change }))
    }
    setState({ ...idle, phase: 'gerando' })
    try {
      await exportReport(await input(), own.signal, notify)
      notify({ phase: 'pronta', percent: 100 })
    } catch (error) {
      notify({ phase: 'erro', fault: callFailureSentence(error) })
    }
  }
  const cancel = () => {
    life.current?.abort()
    setState(idle)
  }
  return { state, start, cancel }
}

const exportReport = async (
  { idRelatorio, fileName, body }: ExportInput,
  signal: AbortSignal,
  notify: (change: Partial<ExportState>) => void,
): Promise<void> => {
  signal.throwIfAborted()
  const name = fileName.replace(/[\\/:*?"<>|]/g, '-')
  // Not abortable: cancelling needs the export's id.
  const begun = await call(reportExportsApi.start, { params: { id: idRelatorio }, body })
  const params = { id: idRelatorio, idExportacao: begun.idExportacao }
  try {
    await untilReady(params, signal, notify)
    notify({ phase: 'baixando', percent: 100 })
    const file = await call(reportExportsApi.file, { params }, { signal })
    saveFile(file, `${name}.${body.formato.toLowerCase()}`)
  } catch (error) {
    // Until it is cancelled, the export counts against the user's limit.
    if (signal.aborted) void callInBackground(reportExportsApi.cancel, { params }).catch(() => undefined)
    throw error
  }
}

const untilReady = async (
  params: { id: number; idExportacao: string },
  signal: AbortSignal,
  notify: (change: Partial<ExportState>) => void,
): Promise<void> => {
  const deadline = performance.now() + waitLimitMs
  let waitMs = firstLookMs
  let failures = 0
  while (performance.now() < deadline) {
    await pause(waitMs, signal)
    try {
      const { estado, percentual, motivo, esperaSegundos } = await callInBackground(
        reportExportsApi.get,
        { params },
        { signal },
      )
      failures = 0
      if (estado === 'PRONTA') return
      if (estado === 'FALHOU')
        throw new Error(motivo ?? 'O serviço de BI não conseguiu gerar o arquivo. Peça-o de novo.')
      notify({ percent: percentual })
      // The provider says when it wants to be asked again.
      waitMs = Math.max(Math.min(longestPauseMs, waitMs * 1.4), (esperaSegundos ?? 0) * 1_000)
    } catch (error) {
      failures += 1
      if (signal.aborted || failures > patience || !mayPass(error)) throw error
      const asked = error instanceof ApiProblem ? (error.retryAfter ?? 0) * 1_000 : 0
      waitMs = Math.max(longestPauseMs, asked)
    }
  }
  throw new Error('O arquivo está demorando demais. Tente de novo mais tarde.')
}

/** Whether the error is transient: the network or a busy service. */
const mayPass = (error: unknown): boolean =>
  isNetworkError(error) ||
  (error instanceof ApiProblem && (error.status === 429 || error.status === 503 || error.status === 504))
