import type { SecondFactorPolicy } from '@bi-manager/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Sealed } from '../config/secrets.ts'
import type { ClinicalTables, Timestamp } from './clinical-tables.ts'
import type { SystemTables } from './system-tables.ts'
import type { ViewerTables } from './viewer-tables.ts'

/* One interface per table, with the wire's names; the plugin turns nomeGrupo into nome_grupo. */

/** What a restored test environment knows of its source. */
export interface TestRestore {
  /** When it was restored, and when the backup was made; ISO 8601. */
  restauradaEm: string
  copiaDe: string
  /** Production's attachment store, when that is a bucket: `https://endpoint/bucket`. */
  bucket: string | null
}

/** Generated column: the name as it is ordered and searched. */
type FoldedName = ColumnType<string, never, never>

interface ResponsavelTable {
  idResponsavel: Generated<number>
  nomeResponsavel: string
  nomeOrdem: FoldedName
}

interface UsuarioTable {
  idUsuario: Generated<number>
  nomeUsuario: string
  nomeOrdem: FoldedName
  /** Written with the name (names/names-in-use.ts). */
  nomeSemelhante: ColumnType<string | null, string, string>
  emailUsuario: string
  emailOrdem: FoldedName
  senhaHash: string | null
  tipoUsuario: Generated<'ADMIN' | 'USER'>
  idResponsavel: Generated<number>
  situacao: Generated<'ATIVO' | 'PENDENTE' | 'BLOQUEADO'>
  acessoProntuario: Generated<boolean>
  encarregadoDados: Generated<boolean>
  identidadeRls: string | null
  conselhoProfissional: string | null
  numeroRegistro: string | null
  ufRegistro: string | null
  /** Generated column from the three above: 'CRM 12345/PR'. */
  registroProfissional: ColumnType<string | null, never, never>
  criadoEm: Generated<Date>
  versao: Generated<number>
  /** Incremented by triggers when the user's own grants or profiles change. */
  versaoAcesso: Generated<number>
  versaoNotificacoes: Generated<number>
  /** Asks for a new password at the next sign-in; 'obrigatoria' allows nothing else first. */
  trocarSenha: 'pedida' | 'obrigatoria' | null
  /** When the account was requested, or its owner last notified of another request. */
  pedidaEm: Timestamp | null
  /** Whether a second factor is active; written by a trigger. */
  temSegundoFator: Generated<boolean>
  /** The e-mail is not verified: a form or a provider without verification supplied it. */
  emailPorProvar: Generated<boolean>
}

/** One row per user, inserted by a trigger. */
interface AcessoUsuarioTable {
  idUsuario: number
  ultimoAcesso: Timestamp | null
}

interface PowerbiTable {
  idPowerBi: Generated<number>
  nome: string
  nomeOrdem: FoldedName
  username: string
  segredo: Sealed
  clienteId: number | null
  idResponsavel: Generated<number>
  provedor: 'local' | 'microsoft'
  tenantId: string | null
  applicationId: string | null
  tipoCredencial: 'service_principal' | 'master_user'
  /** yyyy-mm-dd */
  validadeSegredo: string | null
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
  metodo: Generated<'senha' | 'provedor'>
  /** The second factor used at sign-in. */
  segundoFator: Generated<'codigo' | 'codigo_recuperacao' | null>
  /** When the user last confirmed their identity in this session, and how. */
  confirmadaEm: Generated<Date | null>
  confirmadaCom: Generated<'senha' | 'codigo' | null>
}

interface FalhaLoginTable {
  idFalha: Generated<number>
  chave: string
  em: Timestamp
}

interface ContagemChamadasTable {
  chave: string
  inicio: Timestamp
  total: number
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
  /** JSON text when written, parsed when read. */
  detalhes: ColumnType<Record<string, unknown>, string, never>
  endereco: string | null
  idRequisicao: string | null
  /** Unique per row; null in rows older than the chain. */
  evento: string | null
  /** Id of the key of `marca`, a keyed digest of the row. */
  chave: string | null
  marca: string | null
}

interface AuditoriaFilaTable {
  idAuditoria: number
}

interface AuditoriaEloTable {
  ordem: number
  idAuditoria: number
  chave: string
  elo: string
}

interface AuditoriaPontaTable {
  ponta: 'inicio' | 'fim'
  ordem: number
  elo: string
  chave: string
  marca: string
}

interface LinkContaTable {
  marca: string
  idUsuario: number
  tipo: 'recuperacao' | 'convite' | 'confirmacao' | 'segundo_fator'
  criadoEm: Timestamp
  expiraEm: Timestamp
}

interface SegundoFatorTable {
  idUsuario: number
  segredo: Sealed
  ativoEm: Timestamp | null
  ultimoPasso: Generated<number>
  /** The session that started the enrolment; null once it is active. */
  idSessao: Generated<string | null>
}

interface SegundoFatorNovoTable {
  idUsuario: number
  segredo: Sealed
  criadoEm: Timestamp
  idSessao: Generated<string | null>
}

interface CodigoRecuperacaoTable {
  idUsuario: number
  marca: string
  usadoEm: Timestamp | null
}

interface IdentidadeExternaTable {
  emissor: string
  sujeito: string
  idUsuario: number
  ligadaEm: Timestamp
  /** Linked while the account's e-mail was not verified. */
  semProva: Generated<boolean>
}

interface ConfiguracaoTable {
  unico: Generated<boolean>
  segundoFator: Generated<SecondFactorPolicy>
  segundoFatorDecidido: Generated<boolean>
  versao: Generated<number>
}

interface InstalacaoTable {
  unico: Generated<boolean>
  id: Generated<string>
  ensaio: ColumnType<TestRestore | null, string | null, string | null>
}

interface CopiaSegurancaTable {
  idCopia: Generated<number>
  previstaEm: Timestamp | null
  tentativa: Generated<number>
  iniciadaEm: Timestamp
  ativaEm: Timestamp
  terminadaEm: Timestamp | null
  resultado: 'boa' | 'falhou' | 'interrompida' | null
  destino: string
  arquivo: string | null
  bytes: number | null
  sha256: string | null
  verificada: Generated<boolean>
  erro: string | null
  aviso: string | null
}

interface MensagemTable {
  idMensagem: Generated<number>
  conteudo: Sealed
  criadaEm: Timestamp
  proximaEm: Timestamp
  tentativas: Generated<number>
  erro: string | null
}

interface NotificacaoTable {
  idNotificacao: Generated<number>
  idUsuario: number
  tipo: string
  titulo: string
  texto: string
  rota: string | null
  assunto: string | null
  criadaEm: Timestamp
  lidaEm: Timestamp | null
}

interface VisualizacaoTable {
  idVisualizacao: Generated<number>
  quando: Timestamp
  idUsuario: number
  idRelatorio: number
  carregadoMs: number
  renderizadoMs: number
}

interface CatalogoTable {
  unico: Generated<boolean>
  /** Incremented by triggers when the reports that any user may see can have changed. */
  versao: number
}

interface TotalLinhasTable {
  tabela: 'usuario' | 'relatorio' | 'beneficiario' | 'prontuario' | 'anexo'
  /** Maintained by triggers. */
  total: number
}

interface PerfilTable {
  idPerfil: Generated<number>
  nomePerfil: string
  nomeOrdem: FoldedName
  versao: Generated<number>
}

interface PerfilRelatorioTable {
  idPerfil: number
  idRelatorio: number
}

interface PerfilUsuarioTable {
  idUsuario: number
  idPerfil: number
}

interface PaginaTable {
  rota: string
  idRelatorio: number
}

interface RelatorioLogoTable {
  idRelatorio: number
  imagem: Uint8Array
  marca: string
}

export interface Tables extends ClinicalTables, SystemTables, ViewerTables {
  responsavel: ResponsavelTable
  usuario: UsuarioTable
  acessoUsuario: AcessoUsuarioTable
  powerbi: PowerbiTable
  grupoRelatorio: GrupoRelatorioTable
  relatorio: RelatorioTable
  relatorioUsuario: RelatorioUsuarioTable
  sessao: SessaoTable
  falhaLogin: FalhaLoginTable
  contagemChamadas: ContagemChamadasTable
  dispositivoConhecido: DispositivoConhecidoTable
  auditoria: AuditoriaTable
  visualizacao: VisualizacaoTable
  catalogo: CatalogoTable
  totalLinhas: TotalLinhasTable
  perfil: PerfilTable
  perfilRelatorio: PerfilRelatorioTable
  perfilUsuario: PerfilUsuarioTable
  pagina: PaginaTable
  relatorioLogo: RelatorioLogoTable
  auditoriaFila: AuditoriaFilaTable
  auditoriaElo: AuditoriaEloTable
  auditoriaPonta: AuditoriaPontaTable
  linkConta: LinkContaTable
  segundoFator: SegundoFatorTable
  segundoFatorNovo: SegundoFatorNovoTable
  codigoRecuperacao: CodigoRecuperacaoTable
  identidadeExterna: IdentidadeExternaTable
  configuracao: ConfiguracaoTable
  instalacao: InstalacaoTable
  copiaSeguranca: CopiaSegurancaTable
  mensagem: MensagemTable
  notificacao: NotificacaoTable
}
