import type { KioskLook } from '@bi-manager/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Timestamp } from './timestamp.ts'

/** Screens on walls, and what they may show. */
export interface KioskTables {
  telao: {
    idTelao: Generated<number>
    nome: string
    nomeOrdem: ColumnType<string, never, never>
    nomeBusca: ColumnType<string, never, never>
    aparencia: Generated<KioskLook>
    ativo: Generated<boolean>
    validadeDias: Generated<number>
    usuarioIdentidade: string | null
    identidadeRls: string | null
    redes: Generated<string[]>
    versao: Generated<number>
  }
  telaoPagina: {
    idTelaoPagina: Generated<number>
    idTelao: number
    posicao: number
    idRelatorio: number | null
    nomeRelatorio: string
    pagina: string | null
    tituloPagina: string | null
    segundos: number
  }
  telaoTela: {
    idTelao: number
    marca: string
    conectadaPor: number
    conectadaEm: Timestamp
    vistaEm: Timestamp | null
    expiraEm: Timestamp
    dispositivo: string | null
  }
  telaoCodigo: {
    marcaCodigo: string
    marca: string
    criadoEm: Timestamp
    expiraEm: Timestamp
    dispositivo: string | null
    endereco: string
    rede: string | null
  }
}
