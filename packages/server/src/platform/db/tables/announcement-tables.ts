import type { AnnouncementForm, Audience } from '@bi-manager/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Timestamp } from './timestamp.ts'

/** Announcements of the administrators, and who got and read them. */
export interface AnnouncementTables {
  aviso: {
    idAviso: Generated<number>
    titulo: string
    tituloOrdem: ColumnType<string, never, never>
    tituloBusca: ColumnType<string, never, never>
    tituloNatural: ColumnType<string, never, never>
    texto: string
    inicio: Timestamp
    fim: Timestamp
    publico: Audience
    forma: AnnouncementForm
    manutencao: Generated<boolean>
    divulgado: Generated<boolean>
    versao: Generated<number>
  }
  avisoPerfil: { idAviso: number; idPerfil: number }
  avisoPessoa: { idAviso: number; idUsuario: number; lidoEm: Timestamp | null }
}
