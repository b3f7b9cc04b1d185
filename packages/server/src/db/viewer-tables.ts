import type { ExportFormat, PanelChoice } from '@bi-manager/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Timestamp } from './clinical-tables.ts'

/** What the viewer stores per user. */
export interface ViewerTables {
  favorito: {
    idUsuario: number
    idRelatorio: number
    posicao: number
  }
  visaoSalva: {
    idVisao: Generated<number>
    idUsuario: number
    idRelatorio: number
    nome: string
    nomeOrdem: ColumnType<string, never, never>
    nomeNatural: ColumnType<string, never, never>
    padrao: Generated<boolean>
    pagina: string | null
    /** JSON text when written, parsed when read. */
    filtros: ColumnType<PanelChoice, string, string>
    marcador: string | null
    versao: Generated<number>
  }
  /** Who may refresh a report's data, besides administrators. */
  relatorioAtualizador: {
    idRelatorio: number
    idUsuario: number
  }
  exportacao: {
    idExportacao: string
    idUsuario: number
    idRelatorio: number
    formato: ExportFormat
    externo: string | null
    alcance: string
    pedidaEm: Timestamp
    encerradaEm: Timestamp | null
    desistidaEm: Timestamp | null
  }
}
