import type { DeclaredPanelFilter, ReportType, SecondFactorPolicy } from '@bi-manager/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Encrypted } from '../config/secrets.ts'
import type { AccessRequestTables } from './tables/access-request-tables.ts'
import type { AlertTables } from './tables/alert-tables.ts'
import type { AnnouncementTables } from './tables/announcement-tables.ts'
import type { ApiKeyTables } from './tables/api-key-tables.ts'
import type { CapacityTables } from './tables/capacity-tables.ts'
import type { ClinicalTables } from './tables/clinical-tables.ts'
import type { GuestTables } from './tables/guest-tables.ts'
import type { KioskTables } from './tables/kiosk-tables.ts'
import type { SubscriptionTables } from './tables/subscription-tables.ts'
import type { SystemTables } from './tables/system-tables.ts'
import type { Timestamp } from './tables/timestamp.ts'
import type { UsageTables } from './tables/usage-tables.ts'
import type { ViewerTables } from './tables/viewer-tables.ts'

/** What a restored test environment knows of its source. */
export interface TestRestore {
  /** When it was restored, and when the backup was made; ISO 8601. */
  restauradaEm: string
  copiaDe: string
  /** Production's attachment store, when that is a bucket: `https://endpoint/bucket`. */
  bucket: string | null
}

/** Generated columns: the name as it is searched, and as it is ordered (`nomeNatural`). */
type FoldedName = ColumnType<string, never, never>

/** Every table, with the wire's names; the plugin turns nomeGrupo into nome_grupo. */
export interface Tables
  extends AccessRequestTables,
    AlertTables,
    AnnouncementTables,
    ApiKeyTables,
    CapacityTables,
    ClinicalTables,
    GuestTables,
    KioskTables,
    SubscriptionTables,
    SystemTables,
    UsageTables,
    ViewerTables {
  responsavel: {
    idResponsavel: Generated<number>
    nomeResponsavel: string
    nomeOrdem: FoldedName
    nomeBusca: FoldedName
    nomeNatural: FoldedName
  }
  usuario: {
    idUsuario: Generated<number>
    nomeUsuario: string
    nomeOrdem: FoldedName
    nomeBusca: FoldedName
    nomeNatural: FoldedName
    /** Written with the name (accounts/names/names-in-use.ts). */
    nomeSemelhante: ColumnType<string | null, string, string>
    emailUsuario: string
    emailOrdem: FoldedName
    emailBusca: FoldedName
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
    /** From here on the account may not be used. */
    venceEm: Timestamp | null
  }
  /** One row per user, inserted by a trigger. */
  acessoUsuario: {
    idUsuario: number
    ultimoAcesso: Timestamp | null
  }
  powerbi: {
    idPowerBi: Generated<number>
    nome: string
    nomeOrdem: FoldedName
    nomeBusca: FoldedName
    nomeNatural: FoldedName
    username: string
    segredo: Encrypted
    clienteId: number | null
    idResponsavel: Generated<number>
    provedor: 'local' | 'microsoft'
    tenantId: string | null
    applicationId: string | null
    tipoCredencial: 'service_principal' | 'master_user'
    perfilPrincipal: string | null
    /** yyyy-mm-dd */
    validadeSegredo: string | null
    versao: Generated<number>
  }
  grupoRelatorio: {
    idGrupoRelatorio: Generated<number>
    nomeGrupo: string
    nomeOrdem: FoldedName
    nomeBusca: FoldedName
    nomeNatural: FoldedName
    idGrupo: string
    idPowerBi: number
    versao: Generated<number>
  }
  relatorio: {
    idRelatorio: Generated<number>
    idGrupoRelatorio: number
    nomeRelatorio: string
    nomeOrdem: FoldedName
    nomeBusca: FoldedName
    nomeNatural: FoldedName
    operadoraRelatorio: Generated<string>
    reportId: string
    filtro: string | null
    papeisRls: Generated<string[]>
    enviaIdentidade: Generated<boolean>
    usuarioIdentidade: string | null
    datasetsAdicionais: Generated<string[]>
    tipoRelatorio: Generated<ReportType>
    parametros: Generated<string[]>
    painelParametros: Generated<boolean>
    /** JSON text when written, parsed when read. */
    filtrosPainel: ColumnType<DeclaredPanelFilter[] | null, string | null | undefined, string | null>
    sensivel: Generated<boolean>
    comentarios: Generated<boolean>
    /** Null in reports that were registered before the column existed. */
    criadoEm: Generated<Date | null>
    versao: Generated<number>
  }
  relatorioUsuario: {
    idUsuario: number
    idRelatorio: number
    /** From here on the grant counts no more. */
    venceEm: Timestamp | null
  }
  vencimentoAvisado: {
    idUsuario: number
    /** 0: the account itself. */
    idRelatorio: Generated<number>
    venceEm: Timestamp
  }
  sessao: {
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
  falhaLogin: {
    idFalha: Generated<number>
    chave: string
    em: Timestamp
  }
  contagemChamadas: {
    chave: string
    inicio: Timestamp
    total: number
  }
  dispositivoConhecido: {
    idUsuario: number
    marca: string
    ultimoUso: Timestamp
  }
  auditoria: {
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
  visualizacao: {
    idVisualizacao: Generated<number>
    quando: Timestamp
    idUsuario: number
    idRelatorio: number
    carregadoMs: number
    renderizadoMs: number
  }
  catalogo: {
    unico: Generated<boolean>
    /** Incremented by triggers when the reports that any user may see can have changed. */
    versao: number
  }
  totalLinhas: {
    tabela: 'usuario' | 'relatorio' | 'beneficiario' | 'prontuario' | 'anexo'
    /** Maintained by triggers. */
    total: number
  }
  perfil: {
    idPerfil: Generated<number>
    nomePerfil: string
    nomeOrdem: FoldedName
    nomeBusca: FoldedName
    nomeNatural: FoldedName
    versao: Generated<number>
  }
  perfilRelatorio: {
    idPerfil: number
    idRelatorio: number
  }
  perfilUsuario: {
    idUsuario: number
    idPerfil: number
    venceEm: Timestamp | null
  }
  pagina: {
    rota: string
    idRelatorio: number
  }
  relatorioLogo: {
    idRelatorio: number
    imagem: Uint8Array
    marca: string
  }
  auditoriaFila: {
    idAuditoria: number
  }
  auditoriaElo: {
    ordem: number
    idAuditoria: number
    chave: string
    elo: string
  }
  auditoriaPonta: {
    ponta: 'inicio' | 'fim'
    ordem: number
    elo: string
    chave: string
    marca: string
  }
  linkConta: {
    marca: string
    idUsuario: number
    tipo: 'recuperacao' | 'convite' | 'confirmacao' | 'segundo_fator'
    criadoEm: Timestamp
    expiraEm: Timestamp
  }
  segundoFator: {
    idUsuario: number
    segredo: Encrypted
    ativoEm: Timestamp | null
    ultimoPasso: Generated<number>
    /** The session that started the enrolment; null once it is active. */
    idSessao: Generated<string | null>
  }
  segundoFatorNovo: {
    idUsuario: number
    segredo: Encrypted
    criadoEm: Timestamp
    idSessao: Generated<string | null>
  }
  codigoRecuperacao: {
    idUsuario: number
    marca: string
    usadoEm: Timestamp | null
  }
  identidadeExterna: {
    emissor: string
    sujeito: string
    idUsuario: number
    ligadaEm: Timestamp
    /** Linked while the account's e-mail was not verified. */
    semProva: Generated<boolean>
  }
  configuracao: {
    unico: Generated<boolean>
    segundoFator: Generated<SecondFactorPolicy>
    segundoFatorDecidido: Generated<boolean>
    servicoLocalRegistrado: Generated<boolean>
    /** Whether the search also finds the names of reports that a person cannot open. */
    buscaSemAcesso: Generated<boolean>
    /** Networks in CIDR notation. An empty list allows all networks. */
    redesAdmin: Generated<string[]>
    redesUsuario: Generated<string[]>
    comentarios: Generated<boolean>
    versao: Generated<number>
  }
  instalacao: {
    unico: Generated<boolean>
    id: Generated<string>
    ensaio: ColumnType<TestRestore | null, string | null, string | null>
  }
  copiaSeguranca: {
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
  mensagem: {
    idMensagem: Generated<number>
    conteudo: Encrypted
    criadaEm: Timestamp
    proximaEm: Timestamp
    tentativas: Generated<number>
    erro: string | null
  }
  notificacao: {
    idNotificacao: Generated<number>
    idUsuario: number
    tipo: string
    titulo: string
    texto: string
    rota: string | null
    assunto: string | null
    idComentario: Generated<number | null>
    idAlerta: Generated<number | null>
    alcance: Generated<string | null>
    criadaEm: Timestamp
    lidaEm: Timestamp | null
  }
}
