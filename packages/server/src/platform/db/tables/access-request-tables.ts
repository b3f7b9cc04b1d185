import type { AccessRequestState } from '@bi-manager/contract'
import type { Generated } from 'kysely'
import type { Timestamp } from './timestamp.ts'

/** Requests for access to reports. */
export interface AccessRequestTables {
  pedidoAcesso: {
    idPedido: Generated<number>
    idUsuario: number
    grupoExterno: string
    relatorioExterno: string
    idRegistrado: number | null
    /** Null: the address led to no report, or the report was deleted. */
    idRelatorio: number | null
    motivo: string
    situacao: Generated<AccessRequestState>
    criadoEm: Timestamp
    respondidoEm: Timestamp | null
    respondidoPor: number | null
    idPerfil: number | null
    mensagem: string | null
  }
}
