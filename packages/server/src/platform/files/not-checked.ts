import type { ContainedError } from '@bi-manager/telemetry/run-contained'
import { Problem } from '../lib/problem.ts'

const CANNOT_CONTAIN =
  'O arquivo não pôde ser conferido, porque falta um programa no servidor. Avise o administrador.'

/** The process that checks an upload does not work, whatever the upload: the cause is for the log. */
export const notCheckedNow = (detail: string, cause: ContainedError): Problem =>
  new Problem('servico_indisponivel', {
    cause,
    ...(cause.fault === 'uncontained' ? { detail: CANNOT_CONTAIN } : { detail, retryAfter: 60 }),
  })
