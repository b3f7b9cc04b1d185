import type { UsageDetailKind } from '@bi-manager/contract'
import type { Generated } from 'kysely'

interface UsageSums {
  /** Whether `inicio` is the first day of a month, or a day. */
  mensal: boolean
  /** ISO day in America/Sao_Paulo. */
  inicio: string
  visualizacoes: Generated<number>
  paginas: Generated<number>
  erros: Generated<number>
}

/** Sums of views; a trigger adds each view, with the range of its time to rendered. */
export interface UsageTables {
  usoRelatorio: UsageSums & { idRelatorio: number }
  usoPessoa: UsageSums & { idUsuario: number }
  /** The last day on which a person viewed a report. */
  usoLeitor: {
    idRelatorio: number
    idUsuario: number
    ultimo: string
  }
  /** The highest id of the views that are not summed yet; no row when all are. */
  usoPorSomar: {
    ate: number
  }
  usoEvento: {
    mensal: boolean
    inicio: string
    tipo: UsageDetailKind
    idRelatorio: number
    nome: string
    total: number
  }
}
