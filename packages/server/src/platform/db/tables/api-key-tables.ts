import type { KeyGroup } from '@bi-manager/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Timestamp } from './timestamp.ts'

/** API keys, and the rules of the installation for them. */
export interface ApiKeyTables {
  chaveApi: {
    idChave: Generated<number>
    idUsuario: number
    nome: string
    nomeOrdem: ColumnType<string, never, never>
    nomeBusca: ColumnType<string, never, never>
    nomeNatural: ColumnType<string, never, never>
    prefixo: string
    marca: string
    grupos: KeyGroup[]
    redes: Generated<string[]>
    metodo: 'senha' | 'provedor'
    criadaEm: Timestamp
    expiraEm: Timestamp
    usadaEm: Timestamp | null
    usadaDe: string | null
  }
  /** One row. */
  regrasChaves: {
    unico: Generated<boolean>
    pessoas: Generated<boolean>
    mcp: Generated<boolean>
    versao: Generated<number>
  }
}
