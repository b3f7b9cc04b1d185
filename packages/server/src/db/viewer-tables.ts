import type { ExportFormat, PanelChoice } from '@bi-manager/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Timestamp } from './clinical-tables.ts'

interface FavoritoTable {
  idUsuario: number
  idRelatorio: number
  posicao: number
}

interface VisaoSalvaTable {
  idVisao: Generated<number>
  idUsuario: number
  idRelatorio: number
  nome: string
  nomeOrdem: ColumnType<string, never, never>
  padrao: Generated<boolean>
  pagina: string | null
  /** JSON text when written, parsed when read. */
  filtros: ColumnType<PanelChoice, string, string>
  marcador: string | null
  versao: Generated<number>
}

interface ExportacaoTable {
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

/** What the viewer stores per user. */
export interface ViewerTables {
  favorito: FavoritoTable
  visaoSalva: VisaoSalvaTable
  exportacao: ExportacaoTable
}
