import type { ColumnType, Generated } from 'kysely'

/* One interface a table, named as the wire names its fields; the naming plugin turns nomeGrupo into nome_grupo. */

/** Computed by the database: the name as it is ordered and searched. */
type FoldedName = ColumnType<string, never, never>

type Timestamp = ColumnType<Date, Date, Date>

interface ResponsavelTable {
  idResponsavel: Generated<number>
  nomeResponsavel: string
}

interface UsuarioTable {
  idUsuario: Generated<number>
  nomeUsuario: string
  nomeOrdem: FoldedName
  emailUsuario: string
  senhaHash: string | null
  tipoUsuario: Generated<'ADMIN' | 'USER'>
  idResponsavel: Generated<number>
  situacao: Generated<'ATIVO' | 'PENDENTE' | 'BLOQUEADO'>
  acessoProntuario: Generated<boolean>
  identidadeRls: string | null
  ultimoAcesso: Timestamp | null
  criadoEm: Generated<Date>
  versao: Generated<number>
}

interface PowerbiTable {
  idPowerBi: Generated<number>
  nome: string
  username: string
  segredo: string
  clienteId: number | null
  idResponsavel: Generated<number>
  provedor: 'local' | 'microsoft'
  tenantId: string | null
  applicationId: string | null
  tipoCredencial: 'service_principal' | 'master_user'
  versao: Generated<number>
}

interface GrupoRelatorioTable {
  idGrupoRelatorio: Generated<number>
  nomeGrupo: string
  nomeOrdem: FoldedName
  idGrupo: string
  idPowerBi: number
  versao: Generated<number>
}

interface RelatorioTable {
  idRelatorio: Generated<number>
  idGrupoRelatorio: number
  nomeRelatorio: string
  nomeOrdem: FoldedName
  operadoraRelatorio: string
  reportId: string
  filtro: string | null
  papeisRls: Generated<string[]>
  versao: Generated<number>
}

interface RelatorioUsuarioTable {
  idUsuario: number
  idRelatorio: number
}

interface SessaoTable {
  idSessao: string
  idUsuario: number
  criadaEm: Timestamp
  ultimoUso: Timestamp
  expiraEm: Timestamp
  encerradaEm: Timestamp | null
  dispositivo: string | null
}

interface FalhaLoginTable {
  idFalha: Generated<number>
  chave: string
  em: Timestamp
}

interface DispositivoConhecidoTable {
  idUsuario: number
  marca: string
  ultimoUso: Timestamp
}

interface AuditoriaTable {
  idAuditoria: Generated<number>
  quando: Generated<Date>
  idUsuario: number | null
  acao: string
  objeto: string | null
  /** JSON text on the way in, parsed on the way out. */
  detalhes: ColumnType<Record<string, unknown>, string, never>
  endereco: string | null
  idRequisicao: string | null
}

interface TokenEmitidoTable {
  idToken: Generated<number>
  quando: Timestamp
  idUsuario: number
  idRelatorio: number
  tokenId: string
  expiraEm: Timestamp
  comIdentidade: boolean
}

interface VisualizacaoTable {
  idVisualizacao: Generated<number>
  quando: Timestamp
  idUsuario: number
  idRelatorio: number
  carregadoMs: number
  renderizadoMs: number
}

export interface Tables {
  responsavel: ResponsavelTable
  usuario: UsuarioTable
  powerbi: PowerbiTable
  grupoRelatorio: GrupoRelatorioTable
  relatorio: RelatorioTable
  relatorioUsuario: RelatorioUsuarioTable
  sessao: SessaoTable
  falhaLogin: FalhaLoginTable
  dispositivoConhecido: DispositivoConhecidoTable
  auditoria: AuditoriaTable
  tokenEmitido: TokenEmitidoTable
  visualizacao: VisualizacaoTable
}
