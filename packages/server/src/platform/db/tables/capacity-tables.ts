import type { CapacityState, Weekday } from '@bi-manager/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Timestamp } from './timestamp.ts'

/** Capacities in Azure, and what the portal knows of them. */
export interface CapacityTables {
  capacidade: {
    idCapacidade: Generated<number>
    nome: string
    nomeOrdem: ColumnType<string, never, never>
    nomeBusca: ColumnType<string, never, never>
    nomeNatural: ColumnType<string, never, never>
    idPowerBi: number
    recurso: string
    diasAgenda: Generated<Weekday[]>
    iniciaAs: string | null
    pausaAs: string | null
    feriados: Generated<string[]>
    ociosaMinutos: number | null
    tamanhoInicio: string | null
    tamanhoFim: string | null
    versao: Generated<number>
  }
  capacidadeEstado: {
    idCapacidade: number
    estado: Generated<CapacityState>
    sku: string | null
    tentadaEm: Timestamp | null
    lidaEm: Timestamp | null
    falha: string | null
    vigiadaEm: Timestamp | null
    usadaEm: Timestamp | null
    ocupadaAte: Timestamp | null
    agendaFeita: Timestamp | null
    agendaPedida: Timestamp | null
    tamanhoFeito: Timestamp | null
    tamanhoPedido: Timestamp | null
    iniciadaEm: Timestamp | null
    iniciadaPor: string | null
    tentarEm: Timestamp | null
    naoPausada: string | null
    tamanhoTentarEm: Timestamp | null
    atualizacaoPedida: Timestamp | null
  }
  capacidadePeriodo: {
    idCapacidade: number
    inicio: Timestamp
    fim: Timestamp
    sku: string | null
    encerrado: Generated<boolean>
  }
  capacidadePessoa: {
    idCapacidade: number
    idUsuario: number
  }
  capacidadePerfil: {
    idCapacidade: number
    idPerfil: number
  }
}
