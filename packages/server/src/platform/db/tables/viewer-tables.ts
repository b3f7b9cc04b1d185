import type { ExportFormat, PanelChoice } from '@bi-manager/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Timestamp } from './timestamp.ts'

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
  comentario: {
    idComentario: Generated<number>
    idRelatorio: number
    idConversa: Generated<number | null>
    idUsuario: number | null
    texto: string
    criadoEm: Timestamp
    editadoEm: Generated<Date | null>
    excluidoEm: Generated<Date | null>
    resolvidoEm: Generated<Date | null>
    resolvidoPor: Generated<number | null>
    pagina: Generated<string | null>
    tituloPagina: Generated<string>
    /** JSON text when written, parsed when read. */
    filtros: ColumnType<PanelChoice | null, string | null | undefined, string | null>
    marcador: Generated<string | null>
    temSelecoes: Generated<boolean>
    linhas: Generated<string | null>
  }
  comentarioVersao: {
    unico: Generated<boolean>
    versao: Generated<string>
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
    /** The provider refused it or could not make its file. */
    falhou: Generated<boolean>
  }
}
