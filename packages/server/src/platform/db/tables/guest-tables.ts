import type { ColumnType, Generated } from 'kysely'
import type { Timestamp } from './timestamp.ts'

/** People without an account who may see one report, their links and visits. */
export interface GuestTables {
  convidadoRegras: {
    unico: Generated<boolean>
    ligado: Generated<boolean>
    diasMaximos: Generated<number>
    dominios: Generated<string[]>
    redes: Generated<string[]>
    versao: Generated<number>
  }
  convidado: {
    idConvidado: Generated<number>
    emailConvidado: string
    emailOrdem: ColumnType<string, never, never>
    emailBusca: ColumnType<string, never, never>
    idRelatorio: number
    usuarioIdentidade: string | null
    identidadeRls: string | null
    motivo: string
    venceEm: Timestamp
    convidadoPor: number | null
    convidadoEm: Timestamp
    ultimaVisita: Timestamp | null
    revogadoEm: Timestamp | null
    versao: Generated<number>
  }
  convidadoLink: {
    marca: string
    idConvidado: number
    criadoEm: Timestamp
    expiraEm: Timestamp
  }
  convidadoVisita: {
    idConvidado: number
    marca: string
    iniciadaEm: Timestamp
    expiraEm: Timestamp
  }
}
